using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Silos;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Orleans.Hosting;

/// <summary>
/// Registers a silo's engine: as itself, as what others know of it, and its parts for who needs just one.
/// </summary>
internal static class SiloEngineServices
{
    /// <summary>Registers it.</summary>
    public static void AddSiloEngine(this IServiceCollection services)
    {
        services.AddSingleton<SiloEngine>();
        services.AddPart<IPolyjuiceSilo>(static engine => engine);
        services.AddPart<IEnginePulse>(static engine => engine.Pulse);
        services.AddPart<IFollowedEngines>(static engine => engine);
        services.AddPart<ILifecycleParticipant<ISiloLifecycle>>(static engine => engine);
        services.AddPart(static engine => engine.Self);
        services.AddPart(static engine => engine.Logs);
        services.AddPart(static engine => engine.Limits);
        services.AddPart(static engine => engine.Places);
        services.AddPart(static engine => engine.OwnerSearch);
        services.AddPart(static engine => engine.Rows);
        services.AddPart(static engine => engine.Lanes);
    }

    // A container disposes of what its factories make, so a part is nothing to dispose of: the engine ends its parts.
    private static void AddPart<TPart>(this IServiceCollection services, Func<SiloEngine, TPart> find)
        where TPart : class =>
        services.AddSingleton(provider => find(provider.GetRequiredService<SiloEngine>()));
}
