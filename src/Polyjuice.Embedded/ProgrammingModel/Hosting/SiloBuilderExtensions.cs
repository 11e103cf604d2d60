using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Embedded;

namespace Orleans.Hosting;

/// <summary>Configures silos.</summary>
public static class SiloBuilderExtensions
{
    /// <summary>Runs transactions under Polyjuice's policies. The embedded host does so in any case; this sets the options.</summary>
    public static ISiloBuilder UsePolyjuice(this ISiloBuilder builder, Action<PolyjuiceOptions>? configure = null)
    {
        if (configure is not null) builder.Services.Configure(configure);
        return builder;
    }

    /// <inheritdoc cref="UsePolyjuice(ISiloBuilder, Action{PolyjuiceOptions})"/>
    public static ISiloBuilder UsePolyjuice(this ISiloBuilder builder, Action<OptionsBuilder<PolyjuiceOptions>> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        configure(builder.Services.AddOptions<PolyjuiceOptions>());
        return builder;
    }

    /// <summary>Sets the shape of the embedded cluster: silos, partitions, latencies. Of this host only.</summary>
    public static ISiloBuilder UseEmbeddedCluster(this ISiloBuilder builder, Action<EmbeddedClusterOptions> configure)
    {
        builder.Services.Configure(configure);
        return builder;
    }

    /// <summary>Accepted for source compatibility: embedded silos find each other in this process.</summary>
    public static ISiloBuilder UseLocalhostClustering(
        this ISiloBuilder builder, int siloPort = 11_111, int gatewayPort = 30_000, string serviceId = "dev", string clusterId = "dev") => builder;

    /// <summary>Accepted for source compatibility: transactional states live in the log store.</summary>
    public static ISiloBuilder AddMemoryGrainStorage(this ISiloBuilder builder, string name) => builder;

    /// <summary>Accepted for source compatibility: transactional states live in the log store.</summary>
    public static ISiloBuilder AddMemoryGrainStorageAsDefault(this ISiloBuilder builder) => builder;

    /// <summary>Configures options.</summary>
    /// <typeparam name="TOptions">The options class.</typeparam>
    public static ISiloBuilder Configure<TOptions>(this ISiloBuilder builder, Action<TOptions> configure) where TOptions : class
    {
        builder.Services.Configure(configure);
        return builder;
    }

    /// <summary>Adds services.</summary>
    public static ISiloBuilder ConfigureServices(this ISiloBuilder builder, Action<IServiceCollection> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        configure(builder.Services);
        return builder;
    }

    /// <summary>Configures logging.</summary>
    public static ISiloBuilder ConfigureLogging(this ISiloBuilder builder, Action<ILoggingBuilder> configure)
    {
        builder.Services.AddLogging(configure);
        return builder;
    }
}
