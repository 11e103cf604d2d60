using Polyjuice.Embedded.Core;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded;

/// <summary>A place in the cluster for a silo, which can die and come back as another incarnation. Thread-safe.</summary>
public sealed class EmbeddedSilo
{
    private readonly EmbeddedCluster _cluster;

    internal EmbeddedSilo(EmbeddedCluster cluster, int index)
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

    /// <summary>The grains in its memory; a moment's value.</summary>
    public int Activations => Node?.ActivationCount ?? 0;

    internal Silo? Node { get; set; }

    /// <summary>Whether it gets no partitions any more, because it is about to stop.</summary>
    internal bool IsLeaving { get; set; }

    /// <summary>
    /// Ends it at once, in the middle of whatever it does: its memory is gone, nothing is sent or stored any more. Completes
    /// when the others have been told; they take over its partitions meanwhile, and calls there wait.
    /// </summary>
    public Task KillAsync() => _cluster.KillAsync(this);

    /// <summary>
    /// Ends it in good order. While it still runs, its partitions go over to the other silos: their grains end what they have begun (for 2 s at the most) and are deactivated, and calls that have not begun are
    /// sent on to where the grain is then. It stops when the transactions and calls that it began have ended, which their time-outs bound. Transactions that were in the middle of one of its grains are
    /// retried by the runtime. If it is the last silo that runs, callers wait until one is restarted.
    /// </summary>
    public Task StopAsync() => _cluster.StopAsync(this);

    /// <summary>Starts another incarnation; completes when it serves its partitions again.</summary>
    /// <exception cref="InvalidOperationException">It is running.</exception>
    public Task RestartAsync() => _cluster.RestartAsync(this);

    internal void StartNode() => Node = _cluster.StartSilo(Name);

    internal async Task StopNodeAsync()
    {
        if (Node is not { } node) return;
        Node = null;
        await _cluster.StopSiloAsync(node).ConfigureAwait(false);
    }
}
