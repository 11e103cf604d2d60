using Orleans.Runtime;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Turns;
using Polyjuice.Waits;
using OrleansContext = Orleans.Transactions.TransactionContext;

namespace Polyjuice.Orleans.States;

/// <summary>
/// What grain code sees of one transactional state: accesses go to
/// the engine in the ambient call's frame. On its grain's turn.
/// </summary>
internal sealed class TransactionalState<T> : ITransactionalState<T> where T : class, new()
{
    private readonly IGrainContext _grain;
    private readonly Type? _grainClass;
    private readonly bool _isReentrant;

    // Both are there before the activation's code runs.
    private SiloEngine _engine = null!;
    private TransactionalStateCore<T> _core = null!;
    private GrainTurn? _turn;

    public TransactionalState(IGrainContext grain, Type? grainClass)
    {
        _grain = grain;
        _grainClass = grainClass;
        _isReentrant = GrainClasses.IsReentrant(grainClass);
    }

    /// <summary>The activation's engine is known: from now on the state can be used.</summary>
    public void Attach(SiloEngine engine, TransactionalStateCore<T> core) => (_engine, _core) = (engine, core);

    /// <inheritdoc/>
    public Task<TResult> PerformRead<TResult>(Func<T, TResult> readFunction)
    {
        ArgumentNullException.ThrowIfNull(readFunction);
        SynchronousFunction<TResult>.Require(nameof(PerformRead), nameof(readFunction));
        var isExclusive = OrleansContext.GetRequiredTransactionInfo().UseExclusiveLock;
        return Access(readFunction, isExclusive, isExclusive);
    }

    /// <inheritdoc/>
    public Task<TResult> PerformUpdate<TResult>(Func<T, TResult> updateFunction)
    {
        ArgumentNullException.ThrowIfNull(updateFunction);
        SynchronousFunction<TResult>.Require(nameof(PerformUpdate), nameof(updateFunction));
        return Access(updateFunction, isUpdate: true, isExclusiveRead: false);
    }

    /// <summary>After an update: what decides when nothing else can stop the commit any more.</summary>
    public void DecideBy(Func<TransactionId, Task<bool>> step)
    {
        var frame = Scope().Frame;
        using (_engine.Turn.Enter()) _core.DecideBy(frame, step);
    }

    private Task<TResult> Access<TResult>(Func<T, TResult> function, bool isUpdate, bool isExclusiveRead)
    {
        var scope = Scope();
        TaskCompletionSource<TResult> source;
        using (_engine.Turn.Enter(Turn()))
        {
            ValueTask<TResult> access;
            try
            {
                access = isUpdate && !(isExclusiveRead && scope.Frame.IsReadOnly)
                    ? _core.UpdateAsync(scope.Frame, function)
                    : _core.ReadAsync(scope.Frame, function);
            }
            catch (Exception exception)
            {
                return Task.FromException<TResult>(exception);
            }

            if (access.IsCompletedSuccessfully) return Task.FromResult(access.Result);
            source = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _ = CompleteAsync(access, source);
            if (!_isReentrant) BoundWait(scope.Frame, source.Task);
        }

        return source.Task;
    }

    // A frame belongs to one call of one grain: a state that leaked
    // to another grain must not be accessed in that one's frame.
    private CallScope Scope() => CallScope.Current is { } scope && ReferenceEquals(scope.Grain, _grain)
        ? scope
        : throw new OrleansTransactionException(
            $"A transactional state of {_grain.GrainId} was accessed outside of a transaction of that grain: mark the "
            + "grain interface's method [Transaction(…)].");

    // The caller's continuation must not run on the engine's turn, so the access's own task is not for it.
    private static async Task CompleteAsync<TResult>(ValueTask<TResult> access, TaskCompletionSource<TResult> source)
    {
        try
        {
            source.TrySetResult(await access);
        }
        catch (Exception exception)
        {
            source.TrySetException(exception);
        }
    }

    // Code that has left its grain's turn gets its own back.
    private GrainTurn Turn()
    {
        var scheduler = TaskScheduler.Current;
        return _turn is { } known && ReferenceEquals(known.Scheduler, scheduler)
            ? known
            : _turn = new GrainTurn(_engine.Turn, scheduler);
    }

    // On the turn. The wait holds the grain's turn, and whoever it waits for may need that.
    private void BoundWait(CallFrame frame, Task access)
    {
        if (_grainClass is not null) _engine.Hints.Waits(_grainClass);
        _engine.Turn.Schedule(
            _engine.Limits.NonReentrantWaitMicroseconds,
            static state =>
            {
                var (frame, access) = ((CallFrame, Task))state!;
                if (!access.IsCompleted) frame.GiveUpWaiting();
            },
            (frame, access));
    }
}
