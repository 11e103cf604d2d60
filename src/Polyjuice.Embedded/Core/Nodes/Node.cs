using Microsoft.Extensions.Logging;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>
/// One incarnation of a silo or of the client: a loop, its calls under way, its messages to the others, and its engine.
/// Everything is used on the loop unless it says otherwise.
/// </summary>
internal abstract partial class Node
{
    private readonly List<MessageBuffer> _open = [];

    protected Node(NodeId id, string name, CallRuntime runtime)
    {
        Id = id;
        Name = name;
        Runtime = runtime;
        Logger = runtime.LoggerFactory.CreateLogger("Polyjuice.Embedded");
        _random = new SplitMix(runtime.Seed ^ (ulong)id.Value * 0x9E3779B97F4A7C15UL);
        var platform = runtime.Platform;
        Loop = platform.CreateLoop(this, Flush, HasUrgentMail);
        Directory = platform.DirectoryOf(this);
        TransactionContext.Use(static () => CallContext.Current?.Frame);
        Engine = new TransactionEngine(
            id, runtime.EngineOptions, this, platform.LogsOf(this), runtime.Policies, OrleansAbortExceptionFactory.Shared,
            runtime.LoggerFactory.CreateLogger("Polyjuice.Engine"));
        if (runtime.Traces is { } traces) Engine.StartTrace(traces.Options, traces.Sink, name, TracedCall.Encoding);
    }

    /// <summary>This incarnation. Any thread.</summary>
    public NodeId Id { get; }

    /// <summary>For people. Any thread.</summary>
    public string Name { get; }

    /// <summary>What the nodes of the cluster share. Any thread.</summary>
    public CallRuntime Runtime { get; }

    /// <summary>The node's turn. Any thread.</summary>
    public NodeLoop Loop { get; }

    /// <summary>What the node knows of the others. Any thread.</summary>
    public ClusterDirectory Directory { get; }

    /// <summary>The node's transaction engine.</summary>
    public TransactionEngine Engine { get; }

    /// <summary>Any thread.</summary>
    public ILogger Logger { get; }

    /// <summary>What was sent. Any thread, slightly old values.</summary>
    public NodeCounters Counters { get; } = new();

    /// <summary>The calls of this node that wait for an answer.</summary>
    public PendingCalls Pending { get; } = new();

    /// <summary>Starts the loop. Any thread, once.</summary>
    public void Start() => Loop.Start();

    /// <summary>Ends what still waits here, because this node ends. Any thread; completes when it is done.</summary>
    public Task AbandonAsync() => Loop.RunAsync(async () =>
    {
        Engine.Stop();
        foreach (var pending in Pending.Where(static _ => true)) Fail(pending, new Orleans.Runtime.SiloUnavailableException($"{Name} {Id} was stopped."));
        Flush();
        await Engine.StopTraceAsync();
    });

    /// <summary>Completes when what this node has done so far has been sent. Any thread.</summary>
    public Task FlushAsync() => Loop.RunAsync(() =>
    {
        Flush();
        return Task.CompletedTask;
    });

    /// <summary>The buffer that takes messages to a node until the next flush.</summary>
    protected MessageBuffer BufferTo(Node destination)
    {
        foreach (var open in _open)
        {
            if (ReferenceEquals(open.Destination, destination)) return open;
        }

        var buffer = MessageBuffer.Rent(Id, destination);
        _open.Add(buffer);
        return buffer;
    }

    // After each batch of work: the engine's messages and appends, and then everything that has accumulated goes out together.
    protected void Flush()
    {
        for (var round = 0; _isFlushRequested && round < 4; round++)
        {
            _isFlushRequested = false;
            Engine.Flush();
        }

        if (_isFlushRequested) Loop.Post(static _ => { }, null);
        foreach (var buffer in _open) Deliver(buffer);
        _open.Clear();
    }

    // Mail of engines, and from silo to silo: others wait for what was begun there. What a client asks for, and is told, can wait for some more of it, and costs less then.
    private bool HasUrgentMail()
    {
        if (Engine.HasMail) return true;
        if (this is not Silo) return false;
        foreach (var open in _open)
        {
            if (open.Destination is Silo) return true;
        }

        return false;
    }

    private void Deliver(MessageBuffer buffer)
    {
        if (buffer.Count == 0)
        {
            buffer.Return();
            return;
        }

        Counters.Messages += buffer.Messages;
        Counters.Bytes += buffer.Count;
        Counters.Batches++;
        Runtime.Platform.Deliver(buffer);
    }
}
