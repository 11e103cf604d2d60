using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Silos;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Orleans.Hosting;

/// <summary>
/// Registers a silo's engines: as what others know of them, and their parts for who needs just one.
/// </summary>
internal static class SiloEngineServices
{
    /// <summary>Registers it.</summary>
    public static void AddSiloEngine(this IServiceCollection services)
    {
        services.AddSingleton<PolyjuiceSilo>();
        services.AddSingleton<GrainEngines>();
        services.AddPart<IPolyjuiceSilo>(static silo => silo);
        services.AddPart<IObservedSilo>(static silo => silo);
        services.AddPart<IEnginePulse>(static silo => silo.Pulse);
        services.AddPart<IFollowedEngines>(static silo => silo);
        services.AddPart<ILifecycleParticipant<ISiloLifecycle>>(static silo => silo);
        services.AddPart(static silo => silo.Self);
        services.AddPart(static silo => silo.Logs);
        services.AddPart(static silo => silo.Limits);
        services.AddPart(static silo => silo.Places);
        services.AddPart(static silo => silo.OwnerSearch);
        services.AddPart(static silo => silo.Lanes);
    }

    // A container disposes of what its factories make, so a part is nothing to dispose of: the silo ends its parts.
    private static void AddPart<TPart>(this IServiceCollection services, Func<PolyjuiceSilo, TPart> find)
        where TPart : class =>
        services.AddSingleton(provider => find(provider.GetRequiredService<PolyjuiceSilo>()));
}
