using System.Diagnostics;
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
internal sealed class RootRun(SiloEngine engine, IGrainContext? grain) : ITransactionBody
{
    private TaskCompletionSource _signal = NewSignal();
    private TaskCompletionSource? _body;
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

    /// <summary>When it came: the engine's turn may be somebody else's for a while.</summary>
    public long WaitedForSince { get; private set; }

    /// <summary>Runs the transaction; completes when it is committed and durable.</summary>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method.</param>
    /// <param name="body">Runs once for each attempt, with the number of those before it.</param>
    /// <param name="cancellationToken">Aborts it, unless it has gone too far.</param>
    public async Task RunAsync(
        TransactionRequest request, GrainMethod method, Func<CallScope, int, Task> body,
        CancellationToken cancellationToken)
    {
        var outer = CallScope.Current;
        WaitedForSince = engine.Turn.UtcMicroseconds;
        using (engine.Turn.Enter()) engine.Engine.Run(request, method, this, cancellationToken);
        for (var attempt = 0; ;)
        {
            if (!_signal.Task.IsCompleted) await _signal.Task;
            if (_frame is not { } frame) break;
            var source = _body!;
            Exception? failure = null;
            try
            {
                var scope = new CallScope(engine, frame, grain);
                CallScope.Current = scope;
                if (source.Task.AsyncState is Activity activity) Activity.Current = activity;
                if (GrainTurn is not null) await GrainTurn.BeginAsync(frame);
                if (Observation is { } told && !frame.IsReconnaissance)
                    told.RunBegins(TransactionAgent.GuidOf(frame.TransactionId));
                await body(scope, attempt++);
                if (scope.IsDeclined) failure = new DeclinedException();
            }
            catch (Exception exception)
            {
                failure = exception;
            }

            CallScope.Current = outer;
            if (source.Task.AsyncState is Activity { Parent: var whole }) Activity.Current = whole?.Parent;
            using (engine.Turn.Enter())
            {
                // The engine may have given this attempt up meanwhile, and have asked for another one, or be done.
                if (ReferenceEquals(_frame, frame))
                {
                    _frame = null;
                    if (!_isOver) _signal = NewSignal();
                }

                if (failure is null) source.TrySetResult();
                else source.TrySetException(failure);
            }
        }

        if (GrainTurn is not null) await GrainTurn.EndAsync();
        if (_failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(_failure);
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <inheritdoc/>
    Task ITransactionBody.RunAsync(CallFrame frame)
    {
        // Its state is the attempt's activity, if there is one: a field would be in every transaction.
        _body = new TaskCompletionSource(frame.Activity);
        _frame = frame;
        _signal.TrySetResult();
        return _body.Task;
    }

    /// <inheritdoc/>
    void ITransactionBody.RunEnded(CallFrame frame)
    {
    }

    /// <inheritdoc/>
    void ITransactionBody.Completed(Exception? failure)
    {
        _failure = failure;
        _isOver = true;
        _signal.TrySetResult();
    }
}
