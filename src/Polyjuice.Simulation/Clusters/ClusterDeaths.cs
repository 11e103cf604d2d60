using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// What a membership knows of deaths, and the nodes that it is mistaken about. Those go away for a while. When they
/// come back they know nothing of their death, and take back what they believe to be their own, until they are told.
/// </summary>
/// <param name="cluster">Whose nodes.</param>
/// <param name="random">Says who hears when.</param>
internal sealed class ClusterDeaths(SimulatedCluster cluster, SimulationRandom random)
{
    /// <summary>How often such a node looks whether it serves what it believes to be its own.</summary>
    private const long TakeBackPeriod = 3_000;

    private readonly SortedSet<NodeId> _declared = [];

    /// <summary>Those that it has declared dead, in order.</summary>
    public IReadOnlyCollection<NodeId> Declared => _declared;

    /// <summary>Whether it has declared a node dead.</summary>
    public bool IsDeclared(NodeId node) => _declared.Contains(node);

    /// <summary>It tells all but the node itself that it is dead.</summary>
    public void Declare(SimulatedNode node)
    {
        if (!_declared.Add(node.Id)) return;
        cluster.Protocol?.DeclaredDead(node.Id);
        cluster.TraceLine(() => $"{node.Id} is declared dead");
        foreach (var other in cluster.Alive)
        {
            if (other == node) continue;
            other.Queue(random.Between(0, cluster.Shape.DirectoryLag), EventKind.Directory, () =>
            {
                other.HearOfDeath(node.Id);
                if (cluster.Shape.RowsSleep) other.ForgetRowsOf(node.Id);
                other.Calls.CalleeDied(node.Id);
            });
        }
    }

    /// <summary>A node goes away.</summary>
    public void Begin(MistakenDeath death)
    {
        var node = death.Node;
        node.IsTakenForDead = true;
        cluster.TraceLine(() => $"{node.Id} is taken for dead: {death}");
        node.HearsStorage = death.HearsStorage;
        if (death.StandsStill) node.BeSlow(death.BackAfter, perEvent: 0);
        var others = death.StandsStill ? [] : cluster.Alive.Where(other => other != node).ToArray();
        foreach (var other in others) cluster.Network.Cut(node.Id, other.Id);
        cluster.Loop.Queue(death.DeclaredAfter, EventKind.Directory, node.Id.Value, () => Declare(node));
        cluster.Loop.Queue(death.BackAfter, EventKind.Fault, 6, () =>
        {
            node.HearsStorage = true;
            foreach (var other in others) cluster.Network.Heal(node.Id, other.Id);
            TakeBack(node);
        });
        cluster.Loop.Queue(death.BackAfter + death.ToldAfter, EventKind.Fault, 7, () => cluster.Crash(node));
    }

    /// <summary>A node that was taken for dead takes what it believes to be its own.</summary>
    public void TakeBack(SimulatedNode node, int unit)
    {
        if (node.Owns(unit) || !node.Acquiring.Add(unit)) return;
        cluster.TraceLine(() => $"{node.Id} takes {unit} back");
        cluster.Probe?.Moving(unit, node);
        node.Queue(0, EventKind.Directory, () => cluster.Acquire(unit, node));
    }

    /// <summary>Those of them that are left are told at last.</summary>
    public void EndMistakes()
    {
        foreach (var node in cluster.Alive.Where(static node => node.IsTakenForDead)) cluster.Crash(node);
    }

    private void TakeBack(SimulatedNode node)
    {
        if (!node.IsAlive) return;
        for (var unit = 0; unit < cluster.Accounts.Count; unit++)
        {
            // A row that sleeps is taken when somebody wants it.
            if (cluster.Shape.RowsSleep && cluster.Accounts.IsRow(unit)) continue;
            if (node.OwnerOf(unit) == node.Id) TakeBack(node, unit);
        }

        cluster.Loop.Queue(
            TakeBackPeriod, EventKind.Directory, node.Id.Value, () => TakeBack(node), background: true);
    }
}
