using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans.Hosting;
using Polyjuice.Embedded.Core;
using Polyjuice.Embedded.RealTime;

namespace Microsoft.Extensions.Hosting;

/// <summary>Adds silos to a host. Under this host they all live in this process, and are not Orleans'.</summary>
public static class OrleansHostExtensions
{
    /// <summary>Adds silos that start before, and stop after, the host's other services.</summary>
    public static IHostApplicationBuilder UseOrleans(this IHostApplicationBuilder builder, Action<ISiloBuilder>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        Add(builder.Services);
        configure?.Invoke(new SiloBuilder(builder.Services, builder.Configuration));
        return builder;
    }

    /// <inheritdoc cref="UseOrleans(IHostApplicationBuilder, Action{ISiloBuilder})"/>
    public static IHostBuilder UseOrleans(this IHostBuilder builder, Action<ISiloBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.UseOrleans((_, silo) => configure(silo));
    }

    /// <inheritdoc cref="UseOrleans(IHostApplicationBuilder, Action{ISiloBuilder})"/>
    public static IHostBuilder UseOrleans(this IHostBuilder builder, Action<HostBuilderContext, ISiloBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configure);
        return builder.ConfigureServices((context, services) =>
        {
            Add(services);
            configure(context, new SiloBuilder(services, context.Configuration));
        });
    }

    private static void Add(IServiceCollection services)
    {
        services.AddOptions();
        services.TryAddSingleton(HostedCluster.MakePolicyStore);
        EmbeddedServices.Add(services);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, HostedCluster>());
    }
}
