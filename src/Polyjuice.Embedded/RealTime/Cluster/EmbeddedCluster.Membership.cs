using Microsoft.Extensions.Logging;
using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded;

public sealed partial class EmbeddedCluster
{
    /// <summary>Kills a silo and, in the background, gives its partitions to the survivors.</summary>
    internal async Task KillAsync(EmbeddedSilo silo)
    {
        await _control.WaitAsync().ConfigureAwait(false);
        try
        {
            if (silo.Node is not { } node) return;
            silo.Node = null;
            node.Loop.Stop();
            lock (_past)
            {
                _past.Add(node);
                Directory.Remove(node);
            }

            HostLog.SiloKilled(_logger, silo.Name, node.Id);
            TellDead(node);
        }
        catch
        {
            _control.Release();
            throw;
        }

        _ = TakeOverAsync();
    }

    /// <summary>Hands a silo's partitions over to the others, one by one while it still runs, lets it finish what it has begun, and stops it.</summary>
    internal async Task StopAsync(EmbeddedSilo silo)
    {
        await _control.WaitAsync().ConfigureAwait(false);
        try
        {
            if (silo.Node is not { } node) return;
            silo.IsLeaving = true;
            try
            {
                await RebalanceAsync().ConfigureAwait(false);

                // Calls that were made before everybody knew are on their way to it, and it sends them on.
                foreach (var other in Directory.Nodes) await FlushAsync(other).ConfigureAwait(false);
                await node.FinishAsync(Durations.Microseconds(Runtime.Options.NetworkLatency)).ConfigureAwait(false);
                await silo.StopNodeAsync().ConfigureAwait(false);
            }
            finally
            {
                silo.IsLeaving = false;
            }

            // Partitions that nobody could take before, because this was the last silo or the log failed.
            await RebalanceAsync().ConfigureAwait(false);
        }
        finally
        {
            _control.Release();
        }
    }

    private static async Task FlushAsync(Node node)
    {
        try
        {
            await node.FlushAsync().ConfigureAwait(false);
        }
        catch (Orleans.Runtime.SiloUnavailableException)
        {
            // It ended meanwhile, and what it would have sent with it.
        }
    }

    /// <summary>Starts another incarnation of a silo and gives it its partitions back.</summary>
    internal async Task RestartAsync(EmbeddedSilo silo)
    {
        await _control.WaitAsync().ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(_isStopped, this);
            if (silo.Node is not null) throw new InvalidOperationException($"Silo {silo.Name} is running.");
            silo.StartNode();
            await RebalanceAsync().ConfigureAwait(false);
        }
        finally
        {
            _control.Release();
        }
    }

    /// <summary>Completes when no partition is being moved any more.</summary>
    public async Task WhenBalancedAsync()
    {
        await _control.WaitAsync().ConfigureAwait(false);
        _control.Release();
    }

    internal Silo StartSilo(string name)
    {
        var node = new Silo(NextNodeId(), name, Runtime);
        Directory.Add(node);
        node.Start();
        node.StartCollection();
        HostLog.SiloStarted(_logger, name, node.Id);
        return node;
    }

    internal async Task StopSiloAsync(Silo node)
    {
        // Callers wait for the heir from here on.
        for (var partition = 0; partition < Partitions; partition++)
        {
            if (ReferenceEquals(Directory[partition].Owner, node)) Directory.SetOwner(partition, node, isServing: false);
        }

        await node.StopAsync().ConfigureAwait(false);
        await Retire(node).ConfigureAwait(false);
        HostLog.SiloStopped(_logger, node.Name, node.Id);
        TellDead(node);
    }

    private void TellDead(Node dead)
    {
        foreach (var node in Directory.Nodes)
            node.Loop.Post(static state => (((Node, Node))state!).Item1.NodeDied((((Node, Node))state!).Item2.Id), (node, dead));
    }

    private async Task TakeOverAsync()
    {
        try
        {
            await RebalanceAsync().ConfigureAwait(false);
        }
        finally
        {
            _control.Release();
        }
    }

    // Each partition belongs to the silo of the same number, or to the next one that runs: so a silo's end or start moves
    // its own partitions only.
    // Returns what kept a partition from moving, if anything did.
    private async Task<Exception?> RebalanceAsync()
    {
        var moves = new List<Task<Exception?>>();
        for (var partition = 0; partition < Partitions; partition++)
        {
            var heir = HeirOf(partition);
            if (heir is null || ReferenceEquals(Directory[partition].Owner, heir)) continue;
            moves.Add(MoveAsync(partition, heir));
        }

        var failures = await Task.WhenAll(moves).ConfigureAwait(false);
        return failures.FirstOrDefault(static failure => failure is not null);
    }

    private Silo? HeirOf(int partition)
    {
        for (var i = 0; i < Silos.Count; i++)
        {
            if (Silos[(partition + i) % Silos.Count] is { IsLeaving: false, Node: { } node }) return node;
        }

        return null;
    }

    private async Task<Exception?> MoveAsync(int partition, Silo heir)
    {
        try
        {
            var old = Directory[partition].Owner as Silo;
            Directory.SetOwner(partition, heir, isServing: false);
            if (old is not null) await old.ReleaseAsync(partition, Silos.Any(silo => silo.IsLeaving && ReferenceEquals(silo.Node, old))).ConfigureAwait(false);
            await heir.AcquireAsync(partition).ConfigureAwait(false);
            Directory.SetOwner(partition, heir, isServing: true);
            foreach (var node in Directory.Nodes) node.Loop.Post(static state => ((Node)state!).PartitionsChanged(), node);
            HostLog.PartitionMoved(_logger, partition, heir.Id);
            return null;
        }
        catch (Exception exception)
        {
            HostLog.PartitionLost(_logger, exception, partition, heir.Id);
            return exception;
        }
    }
}
