using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// The log partitions as an engine serves them, and what its grains with transactional states ask of theirs. Two
/// engines may disagree for a moment about who serves one; the logs' fences decide between them (rule L1).
/// Thread-safe.
/// </summary>
internal sealed class ServedPartitions(
    EngineIdentity self, EngineTurn turn, EngineLife life, GrainPlaces places, PolyjuiceOptions options)
{
    private PartitionState[] _states = [];

    /// <summary>All of them, by number; none before the logs are open.</summary>
    public IReadOnlyList<PartitionState> States => _states;

    /// <summary>The logs are open.</summary>
    public void Open(int partitions) =>
        _states = [.. Enumerable.Range(0, partitions).Select(static _ => new PartitionState())];

    /// <summary>A grain with transactional states is being activated here: completes when it can be used.</summary>
    /// <exception cref="SiloUnavailableException">Nobody serves its partition in time.</exception>
    public async Task JoinAsync(IGrainContext grain, CancellationToken cancellationToken)
    {
        // Orleans starts an activation's message loop under the activation's lock. Were the activation to complete
        // without ever waiting, the loop would go on to the first requests with the lock held, and two such grains that
        // call each other would wait for each other's locks for ever.
        await Task.Yield();
        var partition = places.PartitionOf(grain.GrainId);
        var state = _states[partition];
        state.Add(grain);
        try
        {
            await state.Settled.WaitAsync(options.TakeOverTimeout, cancellationToken);
        }
        catch (TimeoutException)
        {
            var problem = LookAt(partition).Outage ?? state.Problem;
            throw new SiloUnavailableException(
                $"Nobody has taken over log partition {partition} of {grain.GrainId} within {options.TakeOverTimeout}"
                + $"{(problem is null ? "" : $": {problem.TrimEnd('.')}")}.");
        }

        // The partition has gone elsewhere since the directory was asked. Without an exception, so that the calls that
        // wait for the grain go on to its new place.
        if (!IsOwn(partition)) PartitionState.SendOn(grain);
    }

    /// <summary>
    /// Whether a grain has transactional states whose log partition this engine does not serve any more. From now on it
    /// takes no call; those that come go to its new place.
    /// </summary>
    public bool SendOnIfMoved(IGrainContext grain)
    {
        var partition = places.PartitionOf(grain.GrainId);
        if (IsOwn(partition) || !_states[partition].Holds(grain)) return false;
        PartitionState.SendOn(grain);
        return true;
    }

    /// <summary>
    /// Whether a grain has transactional states in a log partition that this engine has served for so long without a
    /// break: it was on no other silo.
    /// </summary>
    public bool HasServed(IGrainContext grain, TimeSpan time)
    {
        var partition = places.PartitionOf(grain.GrainId);
        var state = _states[partition];
        return IsOwn(partition) && state.Holds(grain)
            && Environment.TickCount64 - state.ServedSince >= time.TotalMilliseconds;
    }

    /// <summary>Whether the engine serves a partition, and why its log can't be written, if that is known.</summary>
    public (bool IsServed, string? Outage) LookAt(int partition)
    {
        using (turn.Enter()) return (life.Engine.Owns(partition), life.Engine.OutageOf(partition));
    }

    /// <summary>Whether a partition is this engine's by the cluster's membership.</summary>
    public bool IsOwn(int partition) => places.View.Map.OwnerOf(partition) == self.Node;
}
