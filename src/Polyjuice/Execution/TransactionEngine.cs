using Microsoft.Extensions.Logging;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Execution;

/// <summary>One silo's transaction engine: its agent, and the log partitions that it owns. All members on the engine's turn.</summary>
public sealed partial class TransactionEngine
{
    /// <summary>Creates it. It owns no partition yet.</summary>
    public TransactionEngine(
        NodeId node, EngineOptions options, IEngineHost host, ILogStore logs, PolicyStore policies, IAbortExceptionFactory exceptions, ILogger logger) => throw null!;

    /// <summary>Counters.</summary>
    public EngineStatistics Statistics => throw null!;

    /// <summary>Fences a partition's log, recovers from it, and serves it from then on. Completes when it serves.</summary>
    public Task AcquirePartitionAsync(int partition, CancellationToken cancellationToken) => throw null!;

    /// <summary>Stops serving a partition; what is undecided there is decided by the next owner.</summary>
    public void ReleasePartition(int partition) => throw null!;

    /// <summary>Whether this node serves the partition, as far as it knows.</summary>
    public bool Owns(int partition) => throw null!;

    /// <summary>A node was declared dead and will never act again: what depends on its agent alone is resolved without it.</summary>
    public void NodeDead(NodeId node) => throw null!;

    /// <summary>Takes a batch that another node's host was asked to <see cref="IEngineHost.Send"/> to this one.</summary>
    public void Receive(NodeId from, ReadOnlySpan<byte> batch) => throw null!;

    /// <summary>Sends what has accumulated for other nodes and starts appends; see <see cref="IEngineHost.RequestFlush"/>.</summary>
    public void Flush() => throw null!;

    /// <summary>
    /// Runs a transaction: the body, its commit, and again after retriable aborts. Completes when it is committed and durable;
    /// otherwise throws what <see cref="IAbortExceptionFactory"/> makes. The body may run more than once.
    /// </summary>
    public Task RunAsync(TransactionRequest request, GrainMethod method, Func<CallFrame, Task> body, CancellationToken cancellationToken) => throw null!;

    /// <summary>A grain call of a transaction arrives from another silo: the frame that its body runs in.</summary>
    /// <param name="caller">The silo it came from.</param>
    /// <param name="token">What <see cref="OutgoingCall.WriteToken"/> wrote there.</param>
    /// <param name="method">The called method.</param>
    public CallFrame EnterRemoteCall(NodeId caller, ReadOnlySpan<byte> token, GrainMethod method) => throw null!;

    /// <summary>The engine's side of one transactional state of a grain that has been activated on this silo.</summary>
    public TransactionalStateCore<T> CreateState<T>(ParticipantKey key, IStateCodec<T> codec) where T : class => throw null!;

    /// <summary>Aborts what runs and refuses what comes. Idempotent.</summary>
    public void Stop() => throw null!;
}
