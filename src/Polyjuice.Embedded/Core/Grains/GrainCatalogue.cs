using Orleans;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Execution;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Embedded.Core;

/// <summary>What access sets that methods declare, or that are learned, need to know of grains. Thread-safe.</summary>
internal sealed class GrainCatalogue(GrainTypeMap types, EmbeddedClusterOptions options) : IGrainCatalogue, IGrainNames
{
    /// <inheritdoc/>
    public Type? KeyOf(Type grainInterface) =>
        !types.Interfaces.ContainsKey(grainInterface) ? null
        : grainInterface.IsAssignableTo(typeof(IGrainWithIntegerKey)) ? typeof(long)
        : grainInterface.IsAssignableTo(typeof(IGrainWithGuidKey)) ? typeof(Guid)
        : grainInterface.IsAssignableTo(typeof(IGrainWithStringKey)) ? typeof(string) : null;

    /// <inheritdoc/>
    public IEnumerable<(Type Class, IReadOnlyCollection<string> States)> ClassesOf(Type grainInterface) =>
        types.Classes.Where(known => known.Type.IsAssignableTo(grainInterface)).Select(known => (known.Type, (IReadOnlyCollection<string>)[.. known.Constructor.States.Select(state => state.Name)]));

    /// <inheritdoc/>
    public string KeyOf(long key) => GrainKeys.Of(key);

    /// <inheritdoc/>
    public string KeyOf(Guid key) => GrainKeys.Of(key);

    /// <inheritdoc/>
    public string? NameOf(object reference) => (reference as GrainReference)?.Id.ToString();

    /// <inheritdoc/>
    public DeclaredAccess? AccessTo(Type grainInterface, object grain, string state, bool updates)
    {
        var (grainClass, key) = grain switch
        {
            Activation self => (self.Class, self.GrainId.Key),
            GrainReference reference => (reference.Class ?? types.ClassOf(reference.Id.Type), reference.Id.Key),
            long number => (types.ClassFor(grainInterface, null), GrainKeys.Of(number)),
            Guid guid => (types.ClassFor(grainInterface, null), GrainKeys.Of(guid)),
            string text => (types.ClassFor(grainInterface, null), text),
            _ => throw new ArgumentException($"{grain.GetType()} names no grain.", nameof(grain)),
        };
        foreach (var declared in grainClass.Constructor.States)
        {
            if (declared.Name == state) return new DeclaredAccess(new ParticipantKey($"{grainClass.Name}/{key}", state, grainClass.Name), updates, declared.StorageName is { } storage && options.RowStores.ContainsKey(storage));
        }

        return null;
    }
}
