using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;

namespace Polyjuice.Storage;

/// <summary>How logs of any kind are added to a silo, for the packages that bring a kind.</summary>
internal static class LogRegistration
{
    /// <summary>Adds logs under a name, with options that are validated at start.</summary>
    /// <typeparam name="TOptions">Their options.</typeparam>
    /// <param name="builder">The silo.</param>
    /// <param name="name">The name; logs that were added under it before stay, and get these options, too.</param>
    /// <param name="configure">Sets the options.</param>
    /// <param name="category">The logger's.</param>
    /// <param name="open">Opens the logs.</param>
    public static ISiloBuilder AddLog<TOptions>(
        this ISiloBuilder builder, string name, Action<OptionsBuilder<TOptions>> configure, string category,
        Func<TOptions, ILogger, CancellationToken, Task<SegmentedLogStore>> open)
        where TOptions : SegmentedLogOptions
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(configure);
        ArgumentNullException.ThrowIfNull(open);
        configure(builder.Services.AddOptions<TOptions>(name).ValidateOnStart());
        builder.Services.TryAddKeyedSingleton<ILogStoreProvider>(
            name,
            (services, _) => new OptionsLogProvider<TOptions>(
                name, services.GetRequiredService<IOptionsMonitor<TOptions>>(),
                services.GetRequiredService<IOptions<PolyjuiceOptions>>(),
                services.GetRequiredService<ILoggerFactory>().CreateLogger(category), open));
        return builder;
    }

    /// <summary>The same, with a validator of the options.</summary>
    /// <typeparam name="TOptions">Their options.</typeparam>
    /// <typeparam name="TValidator">The validator.</typeparam>
    /// <param name="builder">The silo.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Sets the options.</param>
    /// <param name="category">The logger's.</param>
    /// <param name="open">Opens the logs.</param>
    public static ISiloBuilder AddLog<TOptions, TValidator>(
        this ISiloBuilder builder, string name, Action<OptionsBuilder<TOptions>> configure, string category,
        Func<TOptions, ILogger, CancellationToken, Task<SegmentedLogStore>> open)
        where TOptions : SegmentedLogOptions
        where TValidator : LogOptionsValidator<TOptions>
    {
        builder.AddLog(name, configure, category, open);
        builder.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<TOptions>, TValidator>());
        return builder;
    }
}
