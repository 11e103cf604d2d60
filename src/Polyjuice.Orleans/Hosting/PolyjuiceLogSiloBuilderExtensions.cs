using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Orleans;
using Polyjuice.Storage;

namespace Orleans.Hosting;

/// <summary>Adds transaction logs in memory and in local files.</summary>
public static class PolyjuiceLogSiloBuilderExtensions
{
    /// <summary>
    /// Adds logs in this process's memory as those that transactions use, unless
    /// <see cref="PolyjuiceOptions.LogProvider"/> names others.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddMemoryLogAsDefault(
        this ISiloBuilder builder, Action<MemoryLogOptions>? configure = null) =>
        builder.AddMemoryLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <summary>
    /// Adds logs in this process's memory under a name, which <see cref="PolyjuiceOptions.LogProvider"/> then chooses.
    /// They are for tests: what was committed ends with the process.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddMemoryLog(
        this ISiloBuilder builder, string name, Action<MemoryLogOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        Annotated(configure)(builder.Services.AddOptions<MemoryLogOptions>(name).ValidateOnStart());
        builder.Services.TryAddKeyedSingleton<ILogStoreProvider>(name, (services, _) => new MemoryLogProvider(
            name, services.GetRequiredService<IOptionsMonitor<MemoryLogOptions>>(),
            services.GetRequiredService<IOptions<ClusterOptions>>(),
            services.GetRequiredService<IOptions<PolyjuiceOptions>>()));
        return builder;
    }

    /// <summary>
    /// Adds logs in local files as those that transactions use, unless
    /// <see cref="PolyjuiceOptions.LogProvider"/> names others.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddFileLogAsDefault(
        this ISiloBuilder builder, Action<FileLogOptions>? configure = null) =>
        builder.AddFileLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <summary>
    /// Adds logs in local files under a name, which <see cref="PolyjuiceOptions.LogProvider"/> then chooses. One silo
    /// at a time can use a folder, so they are for clusters of one.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddFileLog(
        this ISiloBuilder builder, string name, Action<FileLogOptions>? configure = null) =>
        builder.AddLog(name, Annotated(configure), "Polyjuice.Storage", FileLogStore.OpenAsync);

    private static Action<OptionsBuilder<TOptions>> Annotated<TOptions>(
        Action<TOptions>? configure) where TOptions : class =>
        options =>
        {
            options.Services.TryAddEnumerable(
                ServiceDescriptor.Singleton<IValidateOptions<TOptions>, LogOptionsValidator<TOptions>>());
            if (configure is not null) options.Configure(configure);
        };
}
