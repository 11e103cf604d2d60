using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

/// <summary>One grain in one silo's memory: its object, and the gate that its requests pass. Loop only.</summary>
internal sealed partial class Activation : IGrainContext
{
    private static readonly SendOrPostCallback s_entered = static state => ((IGateEntrant)state!).Entered();

    [ThreadStatic]
    private static Activation? t_beingCreated;

    private readonly RequestGate _gate;
    private AsyncServiceScope _scope;
    private long _keepUntil;
    private long _pinnedUntil;

    public Activation(Silo silo, GrainClass grainClass, string key)
    {
        Silo = silo;
        Class = grainClass;
        GrainId = new(grainClass.Name, key);
        Partition = silo.Runtime.Partitions.Of(grainClass, key);
        _gate = new(grainClass);
        LastUsed = silo.Loop.Now;
    }

    /// <summary>The activation whose object is being made on this thread.</summary>
    public static Activation? BeingCreated => t_beingCreated;

    public Silo Silo { get; }

    public GrainClass Class { get; }

    /// <summary>The grain's log partition.</summary>
    public int Partition { get; }

    public ActivationState State { get; private set; }

    /// <summary>When the last request ended (or the activation was made), on the clock.</summary>
    public long LastUsed { get; private set; }

    /// <summary>Whether nothing runs or waits.</summary>
    public bool IsIdle => _gate.Running == 0 && _gate.Waiting == 0;

    /// <summary>How many requests, ticks and attempts run.</summary>
    public int Running => _gate.Running;

    /// <summary>How many accesses to transactional states wait, where the loop counts them.</summary>
    public int AccessesWaiting { get; private set; }

    /// <inheritdoc/>
    public GrainId GrainId { get; }

    /// <inheritdoc/>
    public object? GrainInstance { get; private set; }

    /// <inheritdoc/>
    public IServiceProvider ActivationServices => _scope.ServiceProvider;

    /// <summary>A request has come.</summary>
    public void Arrive(Request request)
    {
        Enter(request, first: false);
        // Only now, so that whoever has arrived is there to be told should it fail.
        if (State == ActivationState.New) _ = ActivateAsync();
    }

    /// <summary>Activates it although no request has come: somebody waits for what one of its states has to say.</summary>
    public void Wake()
    {
        if (State == ActivationState.New) _ = ActivateAsync();
    }

    /// <summary>The same for somebody who is told whether its requests would run by then.</summary>
    public void Load(TaskCompletionSource<bool> loaded)
    {
        if (State is ActivationState.New or ActivationState.Activating) (_loads ??= []).Add(loaded);
        else loaded.SetResult(State == ActivationState.Active);
        Wake();
    }

    /// <summary>Runs a request that has passed the gate.</summary>
    public void Run(Request request)
    {
        if (request.Frame is null && request.Call.Method.Transaction is TransactionOption.Create or TransactionOption.CreateOrJoin)
        {
            StartTransaction(request);
            return;
        }

        Pin(request.Frame);
        CallContext.Current = new CallContext(Silo, this, request.Frame, request.Values);
        Task body;
        try
        {
            body = request.Call.InvokeAsync(GrainInstance!);
        }
        catch (Exception exception)
        {
            body = Task.FromException(exception);
        }
        finally
        {
            CallContext.Current = null;
        }

        request.Body = body;
        if (body.IsCompleted) BodyEnded(request);
        else body.GetAwaiter().UnsafeOnCompleted(request.BodyEnded);
    }

    /// <summary>A request's body has ended: its turn is over, and its caller is answered.</summary>
    public void BodyEnded(Request request)
    {
        var exception = ExceptionOf(request.Body!);
        request.Frame?.Exit(exception);
        Leave(request);
        Silo.Answer(request, exception, hasRun: true);
    }

    /// <summary>An access to one of the grain's transactional states that waits.</summary>
    public Task<TResult> Waiting<TResult>(Task<TResult> access) => Silo.Loop.CountsWaits ? CountedAsync(access) : access;

    private async Task<TResult> CountedAsync<TResult>(Task<TResult> access)
    {
        AccessesWaiting++;
        try
        {
            return await access;
        }
        finally
        {
            AccessesWaiting--;
        }
    }

    /// <summary>Lets an entrant in, now or when the gate opens to it.</summary>
    internal void Enter(IGateEntrant entrant, bool first)
    {
        if (_gate.TryEnter(entrant, State == ActivationState.Active, first)) entrant.Entered();
    }

    /// <summary>An entrant has ended: whoever may run now does.</summary>
    internal void Leave(IGateEntrant entrant)
    {
        _gate.Leave(entrant);
        if (entrant is not GrainTimer) Touch();
        if (State == ActivationState.Deactivating && _gate.Running == 0) _ = FinishDeactivationAsync();
        else if (_gate.Waiting > 0) Pump();
        else if (_gate.Running == 0) Silo.BecameIdle(this);
    }

    /// <summary>Takes out the requests that wait and that a condition holds of.</summary>
    internal List<Request> TakeWaiting(Func<Request, bool> condition) => _gate.TakeWaiting(condition);

    // Work of its own for each, so that the one that leaves is done with before the next one starts.
    private void Pump()
    {
        if (State != ActivationState.Active) return;
        while (_gate.Next() is { } next) Silo.Loop.Post(s_entered, next);
    }

    private static Exception? ExceptionOf(Task task) => task.Status switch
    {
        TaskStatus.RanToCompletion => null,
        TaskStatus.Canceled => new TaskCanceledException(task),
        _ => task.Exception!.InnerException,
    };
}
