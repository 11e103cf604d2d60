using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Hosting;
using Polyjuice.Orleans.Hosting.Configuration;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Health checks of a silo's transactions.</summary>
public static class PolyjuiceHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds two checks to the host of a silo with <c>UsePolyjuice()</c>; once. They call no grain and no store.
    /// <list type="bullet">
    /// <item><c>polyjuice-ready</c>, with the tag <c>ready</c>: whether the silo is to be given work. Unhealthy while
    /// it is no member of the cluster, does not serve all of its log partitions, stops or has failed; degraded while a
    /// log can't be written, or calls are refused for overload.</item>
    /// <item><c>polyjuice-live</c>, with the tag <c>live</c>: unhealthy when only a restart of the process helps,
    /// because the engine has failed or does not answer.</item>
    /// </list>
    /// </summary>
    /// <param name="builder">The host's checks.</param>
    /// <param name="configure">Sets the options.</param>
    public static IHealthChecksBuilder AddPolyjuice(
        this IHealthChecksBuilder builder, Action<PolyjuiceHealthOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = builder.Services.AddOptions<PolyjuiceHealthOptions>().ValidateOnStart();
        builder.Services.AddSingleton<IConfigureOptions<PolyjuiceHealthOptions>>(static services =>
            new SectionOptions<PolyjuiceHealthOptions>(PolyjuiceConfiguration.Health, services));
        builder.Services
            .AddSingleton<IValidateOptions<PolyjuiceHealthOptions>, OptionRangesValidator<PolyjuiceHealthOptions>>();
        if (configure is not null) options.Configure(configure);
        return builder
            .Add(Of<ReadinessCheck>("polyjuice-ready", "ready"))
            .Add(Of<LivenessCheck>("polyjuice-live", "live"));
    }

    private static HealthCheckRegistration Of<TCheck>(string name, string tag) where TCheck : IHealthCheck =>
        new(name, static services => ActivatorUtilities.CreateInstance<TCheck>(services), failureStatus: null, [tag]);
}
