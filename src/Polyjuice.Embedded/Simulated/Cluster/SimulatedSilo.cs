using Polyjuice.Embedded.Core;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded;

/// <summary>A place in a simulated cluster for a silo, which can die and come back as another incarnation. Used on the simulation's thread.</summary>
public sealed class SimulatedSilo
{
    private readonly SimulatedEmbeddedCluster _cluster;

    internal SimulatedSilo(SimulatedEmbeddedCluster cluster, int index)
    {
        _cluster = cluster;
        Index = index;
        Name = $"silo{index}";
    }

    /// <summary>The silo's number, from 0.</summary>
    public int Index { get; }

    /// <summary>The silo's name.</summary>
    public string Name { get; }

    /// <summary>Whether it runs.</summary>
    public bool IsRunning => Node is not null;

    /// <summary>The present incarnation, or <see cref="NodeId.None"/>.</summary>
    public NodeId Id => Node?.Id ?? NodeId.None;

    /// <summary>The grains in its memory.</summary>
    public int Activations => Node?.ActivationCount ?? 0;

    internal Silo? Node { get; set; }

    /// <summary>
    /// Ends it at once: its memory is gone, and what it had not sent or stored. The others learn of it after
    /// <see cref="SimulationOptions.DetectionDelay"/>, and take over its partitions. Does nothing to a silo that does not run.
    /// </summary>
    public void Kill() => _cluster.Kill(this);

    /// <summary>Starts another incarnation, which gets its partitions back. Does nothing to a silo that runs.</summary>
    public void Restart() => _cluster.Restart(this);
}
