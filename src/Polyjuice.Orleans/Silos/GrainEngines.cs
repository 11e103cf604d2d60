using Orleans.Runtime;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Which of this silo's engines an activation belongs to, for as long as it lives: the one that serves its log
/// partition, so that all grains of a group share an engine. Of an activation whose partition is elsewhere, because it
/// has no states or has come too early, it is one by the partition's number. Thread-safe.
/// </summary>
internal sealed class GrainEngines(PolyjuiceSilo silo, TurnKeepers keepers)
{
    private readonly IReadOnlyList<SiloEngine> _engines = silo.Engines;
    private int _next;

    /// <summary>The engine of an activation, chosen now if it has none. On the activation's turn.</summary>
    /// <param name="grain">The activation; none for what no grain does.</param>
    public SiloEngine Of(IGrainContext? grain)
    {
        if (_engines.Count == 1) return _engines[0];

        // Not every context that is no grain's keeps what it is given.
        if (grain is null || grain.GrainId.Type.IsClient() || grain.GrainId.Type.IsSystemTarget()) return Next();
        if (grain.GetComponent<Place>() is { } known) return known.Engine;
        var engine = EngineFor(grain.GrainId);
        grain.SetComponent(new Place(engine));
        return engine;
    }

    private SiloEngine EngineFor(GrainId grain)
    {
        // A stateless worker's activations are many, and most such grains have one key.
        if (keepers.HasManyActivations(grain.Type)) return Next();
        int partition;
        try
        {
            partition = silo.Places.PartitionOf(grain);
        }
        catch (TransactionGroupException)
        {
            // Who reads its states is told; others need no group.
            return Next();
        }

        var view = silo.Places.View;
        var owner = view.Map.Count > partition ? view.Map.OwnerOf(partition) : default;
        return NodeIds.SiloOf(owner) == NodeIds.SiloOf(silo.Self.Node)
            ? _engines[NodeIds.EngineOf(owner, silo.Self.Node)]
            : _engines[partition % _engines.Count];
    }

    private SiloEngine Next() => _engines[(int)((uint)Interlocked.Increment(ref _next) % (uint)_engines.Count)];

    /// <summary>What an activation is given.</summary>
    private sealed class Place(SiloEngine engine)
    {
        public SiloEngine Engine => engine;
    }
}
