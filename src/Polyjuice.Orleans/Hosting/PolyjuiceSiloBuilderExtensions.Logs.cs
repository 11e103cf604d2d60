using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Orleans;
using Polyjuice.Storage;

namespace Orleans.Hosting;

// Logs in memory, in local files, and on devices that others bring.
public static partial class PolyjuiceSiloBuilderExtensions
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

    /// <summary>
    /// Adds logs on a device of yours under a name, which <see cref="PolyjuiceOptions.LogProvider"/> then chooses. The
    /// device appends bytes at a checked offset; framing, checksums, checkpoints and recovery are done here. Options
    /// are validated at start.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="name">
    /// The name; <see cref="PolyjuiceOptions.DefaultLogProvider"/> for the logs that transactions use if no others are
    /// named.
    /// </param>
    /// <param name="open">
    /// Makes the device, once, when the silo starts. The silo disposes it when it has stopped. What it throws fails the
    /// silo's start: <see cref="LogDeviceLockedException"/> if another process uses the place.
    /// </param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddDeviceLog(
        this ISiloBuilder builder, string name, Func<CancellationToken, Task<ILogDevice>> open,
        Action<SegmentedLogOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(open);
        return builder.AddLog<SegmentedLogOptions>(
            name, Annotated(configure), "Polyjuice.Storage",
            async (options, logger, cancellationToken) => await SegmentedLogStore.OpenAsync(
                await open(cancellationToken).ConfigureAwait(false), options, logger, cancellationToken)
                .ConfigureAwait(false));
    }

    private static Action<OptionsBuilder<TOptions>> Annotated<TOptions>(
        Action<TOptions>? configure) where TOptions : class =>
        options =>
        {
            options.Services.TryAddEnumerable(
                ServiceDescriptor.Singleton<IValidateOptions<TOptions>, LogOptionsValidator<TOptions>>());
            if (configure is not null) options.Configure(configure);
        };
}
