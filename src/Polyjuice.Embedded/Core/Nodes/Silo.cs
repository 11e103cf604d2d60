using Orleans;
using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded.Core;

/// <summary>A node that holds grains.</summary>
internal sealed partial class Silo : Node
{
    private static readonly SendOrPostCallback s_dispatch = static state => ((Request)state!).Activation.Silo.Dispatch((Request)state);

    private readonly Dictionary<string, Activation>[] _activations;
    private readonly Dictionary<(NodeId, long), Request> _cancellable = [];
    private readonly Dictionary<(GrainMethodDescriptor Method, bool MayWait), TransactionRequest> _transactions = [];
    private readonly Dictionary<(GrainMethodDescriptor Method, GrainClass Class), TracedMethod> _tracedMethods = [];
    private readonly bool[] _isServing;

    public Silo(NodeId id, string name, CallRuntime runtime) : base(id, name, runtime)
    {
        _isServing = new bool[runtime.Partitions.Count];
        _activations = [.. runtime.Grains.Types.Classes.Select(_ => new Dictionary<string, Activation>(StringComparer.Ordinal))];
    }

    /// <inheritdoc/>
    protected override bool IsClient => false;

    /// <summary>The grains in memory.</summary>
    public IEnumerable<Activation> Activations => _activations.SelectMany(ofClass => ofClass.Values);

    /// <summary>How many grains are in memory.</summary>
    public int ActivationCount => _activations.Sum(ofClass => ofClass.Count);

    /// <summary>What the engine is told of the transactions that a method starts.</summary>
    /// <param name="method">Which.</param>
    /// <param name="grainClass">Of the grain, whose turn such a call keeps while it waits unless the class is reentrant.</param>
    public TransactionRequest TransactionOf(GrainMethodDescriptor method, GrainClass grainClass)
    {
        if (_transactions.TryGetValue((method, grainClass.IsReentrant), out var known)) return known;
        var transaction = new TransactionRequest
        {
            Type = method.PathElement.Name,
            IsReadOnly = method.IsReadOnlyTransaction || method.IsReadOnly,
            MaxAttempts = method.IsRetryOff ? 1 : 0,
            AllowsReconnaissance = method.AllowsReconnaissance ? true : null,
            AccessSet = Runtime.AccessSetOf(method),
            CallKeys = Runtime.CallKeysOf(method),
            MayWaitToStart = grainClass.IsReentrant,

            // Retries end before the caller gives up.
            TimeoutMicroseconds = Math.Min(Runtime.EngineOptions.TransactionTimeoutMicroseconds, Runtime.ResponseTimeoutOf(method) / 10 * 9),
        };
        _transactions.Add((method, grainClass.IsReentrant), transaction);
        return transaction;
    }

    /// <summary>What traces call a transactional method.</summary>
    public TracedMethod TracedMethodOf(GrainMethodDescriptor method, GrainClass grainClass)
    {
        if (_tracedMethods.TryGetValue((method, grainClass), out var known)) return known;
        known = TracedMethod.Of(grainClass.Name, method.InterfaceType, method.MethodName, method.ParameterTypes?.Invoke() ?? []);
        _tracedMethods.Add((method, grainClass), known);
        return known;
    }

    /// <summary>Sends a request to its grain's activation, made now if there is none.</summary>
    public void Dispatch(Request request)
    {
        // One that has been in the loop since before its grain's partition began to leave has not begun, as those that wait at the grain.
        var partition = request.Activation.Partition;
        if (request.Activation.State == ActivationState.Gone) Redispatch(request);
        else if (!_isServing[partition] && !IsPartOf(partition, request)) Forward(request);
        else request.Activation.Arrive(request);
    }

    /// <summary>Sends a request whose activation went away before it ran to the grain's next one, wherever that is.</summary>
    public void Redispatch(Request request)
    {
        var old = request.Activation;
        if (!_isServing[old.Partition])
        {
            Forward(request);
            return;
        }

        request.Activation = ActivationOf(old.Class, old.GrainId.Key);
        request.Activation.Arrive(request);
    }

    /// <summary>Forgets an activation that is gone.</summary>
    public void Remove(Activation activation)
    {
        var ofClass = _activations[activation.Class.Index];
        if (ofClass.TryGetValue(activation.GrainId.Key, out var current) && ReferenceEquals(current, activation))
            ofClass.Remove(activation.GrainId.Key);
    }

    /// <summary>Answers a request that never ran.</summary>
    public void Refuse(Request request, Exception exception)
    {
        request.Frame?.Exit(exception);
        Answer(request, exception, hasRun: false);
    }

    /// <summary>Answers a request.</summary>
    /// <param name="request">The request; its frame has exited.</param>
    /// <param name="exception">What to throw at the caller; none for the result.</param>
    /// <param name="hasRun">Whether the answer is the body's. Otherwise a transaction's call counts as unanswered, and may be retried.</param>
    public void Answer(Request request, Exception? exception, bool hasRun)
    {
        if (request.Cancellation is not null && request.RemoteCaller != NodeId.None) _cancellable.Remove((request.RemoteCaller, request.Correlation));
        if (request.LocalCaller is { } caller) AnswerLocally(request, caller, exception, hasRun);
        else if (request.RemoteCaller != NodeId.None) AnswerRemotely(request, exception, hasRun);
        else if (exception is not null) HostLog.OneWayFailed(Logger, exception, request.Activation.GrainId);
    }

    /// <inheritdoc/>
    protected override bool TryCallLocally(CallContext? context, GrainReference target, Invokable call, PendingCall? pending)
    {
        if (!_isServing[target.Partition] && !IsOfDraining(context, target.Partition)) return false;
        var copy = call.Copy();
        CancellationTokenSource? cancellation = null;
        if (call.CancellationToken.CanBeCanceled)
        {
            cancellation = new();
            copy.CancellationToken = cancellation.Token;
        }

        var activation = ActivationOf(target.Class!, target.Id.Key);
        var request = new Request(activation, copy)
        {
            Values = RequestValues.Copy(context?.Values),
            LocalCaller = pending,
            ArrivedAt = Loop.RecentTime,
            Hops = pending?.Hops ?? 0,
            Frame = pending?.Outgoing?.EnterLocal(call.Method.PathElement),
            Cancellation = cancellation,
        };
        if (pending is not null)
        {
            pending.LocalRequest = request;
            pending.Destination = Id;
            Pending.AddLocal(pending);
        }

        Counters.LocalCalls++;
        Loop.Post(s_dispatch, request);
        return true;
    }

    private Activation ActivationOf(GrainClass grainClass, string key)
    {
        var ofClass = _activations[grainClass.Index];
        if (ofClass.TryGetValue(key, out var activation)) return activation;
        activation = new Activation(this, grainClass, key);
        ofClass.Add(key, activation);
        return activation;
    }

    private void AnswerLocally(Request request, PendingCall caller, Exception? exception, bool hasRun)
    {
        if (caller.IsCompleted) return;
        if (exception is null)
        {
            try
            {
                caller.Call.CopyResultFrom(request.Call);
            }
            catch (Exception uncopyable)
            {
                Fail(caller, uncopyable);
                return;
            }
        }

        if (hasRun) caller.Outgoing?.Complete();
        else caller.Outgoing?.Fail();
        if (exception is null) Succeed(caller);
        else EndWith(caller, exception);
    }
}
