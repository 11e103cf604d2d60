using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Clusters;

// Who owns which unit, and who dies.
internal sealed partial class SimulatedCluster
{
    public SimulatedNode? OwnerOf(int partition) => _nodes.GetValueOrDefault(_owners[partition]);

    /// <summary>Gives a partition to a node. Whoever owned it is not told: it finds out from the log.</summary>
    public void Assign(int partition, SimulatedNode node)
    {
        TraceLine(() => $"partition {partition} is given to {node.Id}");
        Probe?.Moving(partition, OwnerOf(partition));
        _owners[partition] = node.Id;
        _served[partition] = false;
        foreach (var other in Alive)
        {
            // Nobody tells the dead.
            if (other.IsTakenForDead && other != node) continue;
            var lag = other == node || _random.Chance(Shape.DirectoryPrompt)
                ? 0
                : _random.Between(0, Shape.DirectoryLag);
            other.Queue(lag, EventKind.Directory, () => other.Believe(partition, _owners[partition]));
        }

        if (!node.Acquiring.Add(partition)) return;
        node.Queue(0, EventKind.Directory, () => Acquire(partition, node));
    }

    /// <summary>The node vanishes now. The others learn of it after the detection delay.</summary>
    public void Crash(SimulatedNode node, bool detect = true)
    {
        if (!node.IsAlive) return;
        node.Crash();
        _alive = null;
        Storage.Crashed(node);
        foreach (var record in _records)
        {
            if (record.Agent == node && record.Outcome == Outcome.Running) EndRecord(record, Outcome.Lost);
        }

        if (detect) Loop.Queue(Shape.DetectionDelay, EventKind.Directory, node.Id.Value, () => Deaths.Declare(node));
    }

    public bool OwnsNothing(SimulatedNode node) =>
        !_owners.Contains(node.Id) && node.Acquiring.Count == 0 && !node.Engine.Partitions.All.Any();

    public bool AllServed()
    {
        for (var p = 0; p < Accounts.Count; p++)
        {
            if (IsAsleep(p)) continue;
            if (OwnerOf(p) is not { IsAlive: true } owner || !_served[p] || !owner.Owns(p)
                || owner.Acquiring.Contains(p))
                return false;
        }

        return true;
    }

    /// <summary>Every silo dies at once; new ones know what the logs say and nothing else.</summary>
    public void RestartEverything()
    {
        TraceLine(() => "---- every silo dies");
        var old = Alive;
        foreach (var node in old) Crash(node, detect: false);
        AddNodes();
        foreach (var node in old) Deaths.Declare(node);
        Require(AllServed, 10_000_000, "progress", "the partitions are not served after every silo has died");
    }

    private void AddNodes()
    {
        var nodes = Enumerable.Range(0, Shape.Nodes).Select(_ => AddNode()).ToArray();
        for (var p = 0; p < (Shape.RowsSleep ? Shape.Partitions : Accounts.Count); p++)
            Assign(p, nodes[Shape.AgentNodes + (p % (nodes.Length - Shape.AgentNodes))]);
    }

    /// <summary>A node takes what it was given, or believes to be its own.</summary>
    public async void Acquire(int partition, SimulatedNode node)
    {
        try
        {
            // A host gives a node that still believes in an older claim a fresh start.
            if (node.Owns(partition)) node.Release(partition);
            await node.AcquireAsync(partition);
            // Another may have got it since, and be serving by now.
            if (_owners[partition] == node.Id) _served[partition] = true;
            TraceLine(() => $"{node.Id} serves partition {partition}");
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            TraceLine(() => $"{node.Id} could not acquire partition {partition}");
        }
        catch (DeclaredDeadException)
        {
            // Its membership ends the process then, and has the partition served by another.
            TraceLine(() => $"{node.Id} reads in partition {partition} that it was declared dead");
            Crash(node);
        }

        node.Acquiring.Remove(partition);
    }

    /// <summary>
    /// What a silo's membership does all the time: partitions of the dead and of the deposed get a new owner.
    /// </summary>
    private void Steward()
    {
        for (var p = 0; p < Accounts.Count; p++)
        {
            if (Shape.RowsSleep && Accounts.IsRow(p)) continue;
            var owner = OwnerOf(p);
            var orphaned = owner is null || Deaths.IsDeclared(owner.Id);
            var deposed = owner is { IsAlive: true } && !owner.Acquiring.Contains(p) && !owner.Owns(p);
            if (!orphaned && !deposed) continue;
            var candidates = Candidates;
            if (candidates.Count > 0) Assign(p, _random.Pick(candidates));
        }

        Loop.Queue(StewardPeriod, EventKind.Directory, -1, Steward, background: true);
    }
}
