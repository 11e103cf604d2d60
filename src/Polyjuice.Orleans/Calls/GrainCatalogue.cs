using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Calls;

/// <summary>What access sets that methods declare need to know of grains. Thread-safe.</summary>
internal sealed class GrainCatalogue(
    IOptions<GrainTypeOptions> grains, IServiceProvider services) : IGrainCatalogue, IGrainNames
{
    private readonly ConcurrentDictionary<Type, (string State, string? Storage)[]> _states = new();

    /// <inheritdoc/>
    public Type? KeyOf(Type grainInterface) =>
        grainInterface.IsAssignableTo(typeof(IGrainWithIntegerKey)) ? typeof(long)
        : grainInterface.IsAssignableTo(typeof(IGrainWithGuidKey)) ? typeof(Guid)
        : grainInterface.IsAssignableTo(typeof(IGrainWithStringKey)) ? typeof(string) : null;

    /// <inheritdoc/>
    public IEnumerable<(Type Class, IReadOnlyCollection<string> States)> ClassesOf(Type grainInterface) =>
        grains.Value.Classes.Where(known => known.IsAssignableTo(grainInterface))
            .Select(known => (known, (IReadOnlyCollection<string>)[.. StatesOf(known).Select(state => state.State)]));

    /// <inheritdoc/>
    public string KeyOf(long key) => GrainIdKeyExtensions.CreateIntegerKey(key).ToString()!;

    /// <inheritdoc/>
    public string KeyOf(Guid key) => GrainIdKeyExtensions.CreateGuidKey(key).ToString()!;

    /// <inheritdoc/>
    public string? NameOf(object reference) => reference is GrainReference known ? known.GrainId.ToString() : null;

    /// <inheritdoc/>
    public DeclaredAccess? AccessTo(Type grainInterface, object grain, string state, bool updates)
    {
        var factory = services.GetRequiredService<IGrainFactory>();
        var id = grain switch
        {
            IGrainContext self => self.GrainId,
            IAddressable reference => reference.GetGrainId(),
            long number => factory.GetGrain(grainInterface, number).GetGrainId(),
            Guid guid => factory.GetGrain(grainInterface, guid).GetGrainId(),
            string text => factory.GetGrain(grainInterface, text).GetGrainId(),
            _ => throw new ArgumentException($"{grain.GetType()} names no grain.", nameof(grain)),
        };

        // A class that this silo lacks is not known well enough: its state is accessed by ordinary rows.
        if (!services.GetRequiredService<GrainClassMap>().TryGetGrainClass(id.Type, out var grainClass)) return null;
        foreach (var (name, storage) in StatesOf(grainClass))
        {
            if (name == state)
                return new DeclaredAccess(
                    new ParticipantKey(id.ToString(), state, grainClass.Name),
                    updates,
                    services.GetRequiredService<StateStorageResolver>().IsInProvider(storage));
        }

        return null;
    }

    private (string State, string? Storage)[] StatesOf(Type grainClass) =>
        _states.GetOrAdd(grainClass, static known => [.. PartitionPlacementResolver.StoragesOf(known)]);
}
