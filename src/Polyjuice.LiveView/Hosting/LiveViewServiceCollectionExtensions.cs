using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Polyjuice.Diagnostics;
using Polyjuice.LiveView;
using Polyjuice.LiveView.Access;
using Polyjuice.LiveView.Api;
using Polyjuice.LiveView.Hosting;
using Polyjuice.LiveView.Measuring;
using Polyjuice.LiveView.Policies;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds the live view to a process with engines.</summary>
public static class LiveViewServiceCollectionExtensions
{
    /// <summary>
    /// Measures from the start on, so that the last ten minutes are there when somebody looks.
    /// <c>MapPolyjuiceLiveView</c> says where, in an application with ASP.NET Core's pipeline; others have
    /// <see cref="AddPolyjuiceLiveViewServer"/>. What it looks at is the <see cref="Polyjuice.Policies.PolicyStore"/>
    /// that <c>UsePolyjuice</c> has registered.
    /// </summary>
    /// <param name="services">The process's services.</param>
    /// <param name="configure">Sets options, after the section <c>Polyjuice:LiveView</c> of the configuration.</param>
    public static IServiceCollection AddPolyjuiceLiveView(
        this IServiceCollection services, Action<LiveViewOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        var options = services.AddBoundOptions<LiveViewOptions>();
        if (configure is not null) options.Configure(configure);
        services.AddLogging();
        services.TryAddSingleton(TimeProvider.System);
        services.TryAddSingleton<IEngineInspection, EngineInspection>();
        services.TryAddSingleton<SampleHistory>();
        services.TryAddSingleton<ConflictView>();
        services.TryAddSingleton<PolicyDates>();
        services.TryAddSingleton<IPolicyActions>(static provider => (provider.GetService<PolicyFollower>()?.Repository
            ?? provider.GetService<PolicyRepository>()) is { } repository
            ? new PublishedPolicyActions(
                repository, provider.GetRequiredService<PolicyStore>(), provider.GetService<PolicyFollower>())
            : ActivatorUtilities.CreateInstance<ProcessPolicyActions>(provider));
        services.TryAddSingleton(provider => new LiveViewServices(
            provider.GetRequiredService<IOptions<LiveViewOptions>>().Value,
            provider.GetRequiredService<SampleHistory>(),
            provider.GetRequiredService<ConflictView>(),
            provider.GetRequiredService<IPolicyActions>(),
            provider.GetRequiredService<IEngineInspection>(),
            provider.GetService<ITrainingStatus>(),
            provider.GetService<ITransactionTypes>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, PolicyCheck>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, Sampler>());
        return services;
    }

    /// <summary>
    /// The same with a web server of its own, for processes that have none. It listens on the loopback interface alone
    /// and is read-only, whatever <see cref="LiveViewOptions.AuthorizationPolicy"/> says: who wants more maps the view
    /// in an application that knows who its users are.
    /// </summary>
    /// <param name="services">The process's services.</param>
    /// <param name="configure">Sets options, after the section <c>Polyjuice:LiveView:Server</c>.</param>
    public static IServiceCollection AddPolyjuiceLiveViewServer(
        this IServiceCollection services, Action<LiveViewServerOptions>? configure = null)
    {
        services.AddPolyjuiceLiveView();
        var options = services.AddBoundOptions<LiveViewServerOptions>();
        if (configure is not null) options.Configure(configure);
        services.TryAddSingleton(provider => new LiveViewServer(
            provider.GetRequiredService<LiveViewServices>(),
            provider.GetRequiredService<IOptions<LiveViewServerOptions>>().Value,
            provider.GetRequiredService<ILoggerFactory>()));
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IHostedService, LiveViewServer>(
                provider => provider.GetRequiredService<LiveViewServer>()));
        return services;
    }

    // Once, so that what the code says goes before the configuration, also where the view is added twice.
    private static OptionsBuilder<TOptions> AddBoundOptions<TOptions>(this IServiceCollection services)
        where TOptions : class
    {
        services.TryAddEnumerable(ServiceDescriptor.Singleton(
            typeof(IConfigureOptions<TOptions>), typeof(LiveViewSection)));
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<TOptions>, LiveViewValidator<TOptions>>());
        return services.AddOptions<TOptions>().ValidateOnStart();
    }
}
