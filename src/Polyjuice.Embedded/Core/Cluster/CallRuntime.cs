using Microsoft.Extensions.Logging;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Embedded.Core;

/// <summary>
/// What a cluster's nodes share, and what grain references call. A reference belongs to no node: a call starts where its code
/// runs, which the ambient context says. Thread-safe.
/// </summary>
internal sealed class CallRuntime : IGrainCallRuntime
{
    private static readonly SendOrPostCallback s_begin = static state => ((OutsideCall)state!).Begin();

    private readonly long _responseTimeout;
    private readonly GrainCatalogue _catalogue;

    public CallRuntime(
        EmbeddedClusterOptions options, IServiceProvider services, GrainTypeMap types, int partitions, PolicyStore policies, ILoggerFactory loggerFactory,
        ulong seed)
    {
        Options = options;
        Seed = seed;
        Services = services;
        Policies = policies;
        LoggerFactory = loggerFactory;
        Partitions = new(partitions);
        Grains = new(this, types);
        _catalogue = new(types, options);
        EngineOptions = options.Engine;
        Traces = options.TraceSink is { } sink ? new(options.Trace, sink) : null;
        _responseTimeout = Durations.Microseconds(options.ResponseTimeout);
        SweepMicroseconds = Math.Clamp(_responseTimeout / 4, 1_000, 100_000);
        CollectionQuantumMicroseconds = Math.Clamp(Durations.Microseconds(options.CollectionAge) / 4, 1_000, 60_000_000);
    }

    public EmbeddedClusterOptions Options { get; }

    /// <summary>Seed of the nodes' random numbers.</summary>
    public ulong Seed { get; }

    public EngineOptions EngineOptions { get; }

    /// <summary>What nodes that start from now on record; <see langword="null"/> for nothing.</summary>
    public TraceRecording? Traces { get; set; }

    public IServiceProvider Services { get; }

    public PolicyStore Policies { get; }

    public ILoggerFactory LoggerFactory { get; }

    /// <summary>Where grains belong.</summary>
    public GrainPartitions Partitions { get; }

    /// <summary>What the nodes stand on; set before the first of them is made.</summary>
    public NodePlatform Platform { get; set; } = null!;

    public GrainReferences Grains { get; }

    /// <summary>How often late calls are looked for.</summary>
    public long SweepMicroseconds { get; }

    /// <summary>How often idle activations are looked for.</summary>
    public long CollectionQuantumMicroseconds { get; }

    /// <summary>The node of code that runs on none.</summary>
    public Node Client { get; set; } = null!;

    /// <summary>What calls of a method declare that they access; <see langword="null"/> if that is nothing. Asked for once for each method and silo.</summary>
    public MethodAccessSet? AccessSetOf(GrainMethodDescriptor method) =>
        method.DeclaredBy?.Invoke() is { } declaring && DeclaredAccesses.Of(declaring, _catalogue) is { } declared ? new(declared, _catalogue) : null;

    /// <summary>What calls of a method say of grains; <see langword="null"/> for one that starts no transaction. Asked for once for each method and silo.</summary>
    public MethodCallKeys? CallKeysOf(GrainMethodDescriptor method) => method.Transaction is null ? null : new(method, _catalogue);

    /// <summary>How long callers wait for an answer.</summary>
    public long ResponseTimeoutOf(GrainMethodDescriptor method) =>
        method.ResponseTimeout is { } timeout ? Durations.Microseconds(timeout) : _responseTimeout;

    /// <summary>Fills in what routing needs to know of a reference's grain.</summary>
    public void Resolve(GrainReference target)
    {
        if (target.Class is not null) return;
        var grainClass = Grains.Types.ClassOf(target.Id.Type);
        target.Partition = Partitions.Of(grainClass, target.Id.Key);
        target.Class = grainClass;
    }

    /// <inheritdoc/>
    public Task<TResult> CallAsync<TResult>(GrainReference target, Invokable<TResult> call)
    {
        var context = CallContext.Current;
        var node = context?.Node ?? Client;
        return node.Loop.IsCurrent ? node.Call(context, target, call) : CallFromOutside(node, context, target, call);
    }

    private static Task<TResult> CallFromOutside<TResult>(Node node, CallContext? context, GrainReference target, Invokable<TResult> call)
    {
        PendingCall<TResult>? pending = null;
        OutsideCall outside;
        try
        {
            // Copied now, because the caller goes on while the loop has not begun yet.
            var copy = (Invokable<TResult>)call.Copy();
            copy.CancellationToken = call.CancellationToken;
            if (!call.Method.IsOneWay) pending = new(copy, TaskCreationOptions.RunContinuationsAsynchronously);
            outside = new(node, context, target, copy, pending);
        }
        catch (Exception exception)
        {
            return Task.FromException<TResult>(exception);
        }

        if (!node.Loop.Post(s_begin, outside)) outside.Abandon();
        return pending?.Task ?? Task.FromResult<TResult>(default!);
    }

    private sealed class OutsideCall(Node node, CallContext? context, GrainReference target, Invokable call, PendingCall? pending) : IAbandonable
    {
        public void Begin() => node.Begin(context, target, call, pending);

        /// <inheritdoc/>
        public void Abandon() => pending?.SetException(new Orleans.Runtime.SiloUnavailableException($"{node.Name} {node.Id} was stopped."));
    }
}
