using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Clusters;

// Who dies.
internal sealed partial class SimulatedCluster
{
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

        if (detect) Loop.Queue(Shape.DetectionDelay, EventKind.Directory, node.Id.Value, () => DeclareDead(node));
    }

    /// <summary>Membership tells all but the node itself that it is dead.</summary>
    public void DeclareDead(SimulatedNode node)
    {
        if (_declaredDead.Contains(node.Id)) return;
        _declaredDead.Add(node.Id);
        Protocol?.DeclaredDead(node.Id);
        TraceLine(() => $"{node.Id} is declared dead");
        foreach (var other in Alive)
        {
            if (other == node) continue;
            other.Queue(_random.Between(0, Shape.DirectoryLag), EventKind.Directory, () =>
            {
                Protocol?.DeathHeard(other.Id, node.Id);
                other.Engine.NodeDead(node.Id);
                if (Shape.RowsSleep) other.ForgetRowsOf(node.Id);
                other.Calls.CalleeDied(node.Id);
            });
        }
    }
}
