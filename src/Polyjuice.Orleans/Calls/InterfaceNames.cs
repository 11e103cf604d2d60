using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Serialization.TypeSystem;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Remembers what Orleans calls each grain interface. Whoever gets a grain's reference asks for that, mostly for every
/// call, and Orleans finds it out anew from attributes and names. Thread-safe.
/// </summary>
internal sealed class InterfaceNames(IServiceProvider services) : IGrainInterfaceTypeProvider
{
    private readonly ConcurrentDictionary<Type, GrainInterfaceType> _known = new();
    private GrainInterfaceTypeResolver? _resolver;

    /// <inheritdoc/>
    public bool TryGetGrainInterfaceType(Type type, out GrainInterfaceType grainInterfaceType)
    {
        if (!_known.TryGetValue(type, out grainInterfaceType))
        {
            // Not before: the other providers are made together with this one.
            _resolver ??= new(
                services.GetServices<IGrainInterfaceTypeProvider>().Where(other => other != this),
                services.GetRequiredService<TypeConverter>());
            grainInterfaceType = _known.GetOrAdd(type, _resolver.GetGrainInterfaceType(type));
        }

        return true;
    }
}
