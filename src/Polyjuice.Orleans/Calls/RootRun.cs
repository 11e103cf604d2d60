using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Orleans.Turns;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// One transaction where it was started. The engine asks for attempts on its turn, and whoever started the transaction
/// runs them where it runs: one after the other, in its own asynchronous flow, and never on the engine's turn.
/// </summary>
internal abstract class RootRun(SiloEngine engine, IGrainContext? grain) : ITransactionBody, IValueTaskSource
{
    // Whether the engine has asked for an attempt, or is done. Whoever runs them waits for it, and takes it back.
    private ManualResetValueTaskSourceCore<bool> _signal = new() { RunContinuationsAsynchronously = true };
    private bool _isSignalled;
    private BodyWatch? _watch;
    private Activity? _activity;
    private CallFrame? _frame;
    private Exception? _failure;
    private bool _isOver;

    /// <summary>
    /// The call that it is of, for traces; nothing for a client's code, or if the call is made again elsewhere.
    /// </summary>
    public IRootCall? Call { get; set; }

    /// <summary>Who is told how it goes, if anybody is.</summary>
    public ITransactionObservation? Observation { get; set; }

    /// <summary>The turn of the grain that it keeps, if others' calls have to wait until it is over.</summary>
    public RootTurn? GrainTurn { get; init; }

    /// <summary>Whose transaction it is.</summary>
    protected SiloEngine Engine => engine;

    /// <summary>The grain whose code it runs, if there is one.</summary>
    protected IGrainContext? Grain => grain;

    /// <summary>When it came: the engine's turn may be somebody else's for a while.</summary>
    public long WaitedForSince { get; private set; }

    /// <summary>Runs the transaction; completes when it is committed and durable.</summary>
    /// <param name="admission">Who is told when it has ended.</param>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method.</param>
    /// <param name="cancellationToken">Aborts it, unless it has gone too far.</param>
    /// <remarks>To be awaited once. It completes where whoever started it runs.</remarks>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask RunAsync(
        TransactionAdmission admission, TransactionRequest request, GrainMethod method,
        CancellationToken cancellationToken)
    {
        try
        {
            var outer = CallScope.Current;
            WaitedForSince = engine.Turn.UtcMicroseconds;
            using (engine.Turn.Enter()) engine.Engine.Run(request, method, this, cancellationToken);
            for (var attempt = 0; ;)
            {
                await new ValueTask(this, _signal.Version);
                if (_frame is not { } frame) break;
                var (watch, activity) = (_watch!, _activity);
                Exception? failure = null;
                try
                {
                    var scope = new CallScope(engine, frame, grain);
                    CallScope.Current = scope;
                    if (activity is not null) Activity.Current = activity;
                    if (GrainTurn is not null) await GrainTurn.BeginAsync(frame);
                    if (Observation is { } told && !frame.IsReconnaissance)
                        told.RunBegins(TransactionAgent.GuidOf(frame.TransactionId));
                    await RunBodyAsync(scope, attempt++).ConfigureAwait(false);
                    if (scope.IsDeclined) failure = new DeclinedException();
                }
                catch (Exception exception)
                {
                    failure = exception;
                }

                CallScope.Current = outer;
                if (activity is not null) Activity.Current = activity.Parent?.Parent;
                EndBody(frame, watch, failure);
            }

            if (GrainTurn is not null) await GrainTurn.EndAsync();
            if (_failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(_failure);
        }
        catch (Exception exception)
        {
            admission.Ended(Observation, exception);
            throw;
        }

        admission.Ended(Observation, null);
    }

    private void EndBody(CallFrame frame, BodyWatch watch, Exception? failure)
    {
        using (engine.Turn.Enter())
        {
            // The engine may have given this attempt up meanwhile, and have asked for another one, or be done.
            if (ReferenceEquals(_frame, frame))
            {
                _frame = null;
                if (!_isOver)
                {
                    _isSignalled = false;
                    _signal.Reset();
                }
            }

            watch.RunEnded(failure);
        }
    }

    /// <summary>
    /// Runs the body once, for an attempt. It must complete where it began: in the turn of the grain, if there is one.
    /// </summary>
    /// <param name="scope">The attempt's.</param>
    /// <param name="earlier">How many attempts there were before it.</param>
    protected abstract ValueTask RunBodyAsync(CallScope scope, int earlier);

    // On the engine's turn.
    private void Signal()
    {
        if (_isSignalled) return;
        _isSignalled = true;
        _signal.SetResult(true);
    }

    /// <inheritdoc/>
    void IValueTaskSource.GetResult(short token) => _signal.GetResult(token);

    /// <inheritdoc/>
    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _signal.GetStatus(token);

    /// <inheritdoc/>
    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _signal.OnCompleted(continuation, state, token, flags);

    /// <inheritdoc/>
    BodyWatch? ITransactionBody.Run(CallFrame frame)
    {
        _watch = new BodyWatch(this, frame);
        _activity = frame.Activity;
        _frame = frame;
        Signal();
        return _watch;
    }

    /// <inheritdoc/>
    Task ITransactionBody.RunAsync(CallFrame frame) =>
        throw new InvariantException("The engine has been told what runs the body.");

    /// <inheritdoc/>
    void ITransactionBody.RunEnded(CallFrame frame)
    {
    }

    /// <inheritdoc/>
    void ITransactionBody.Completed(Exception? failure)
    {
        _failure = failure;
        _isOver = true;
        Signal();
    }
}
