using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

/// <summary>What grain code sees of one transactional state: accesses go to the engine in the ambient call's frame.</summary>
internal sealed class TransactionalState<T>(TransactionalStateCore<T> core, Activation activation) : ITransactionalState<T> where T : class, new()
{
    /// <inheritdoc/>
    public Task<TResult> PerformRead<TResult>(Func<T, TResult> readFunction)
    {
        ArgumentNullException.ThrowIfNull(readFunction);
        if (FrameOrNull() is not { } frame) return Task.FromException<TResult>(NoTransaction());
        if (!activation.Silo.Loop.IsCurrent) return ReadFromOutside(frame, readFunction);
        var access = core.ReadAsync(frame, readFunction);
        return access.IsCompleted ? access.AsTask() : activation.Waiting(access.AsTask());
    }

    /// <inheritdoc/>
    public Task<TResult> PerformUpdate<TResult>(Func<T, TResult> updateFunction)
    {
        ArgumentNullException.ThrowIfNull(updateFunction);
        if (FrameOrNull() is not { } frame) return Task.FromException<TResult>(NoTransaction());
        if (!activation.Silo.Loop.IsCurrent) return UpdateFromOutside(frame, updateFunction);
        var access = core.UpdateAsync(frame, updateFunction);
        return access.IsCompleted ? access.AsTask() : activation.Waiting(access.AsTask());
    }

    // Methods of their own, so that only code that has left its grain's turn pays for the closures.
    private Task<TResult> ReadFromOutside<TResult>(CallFrame frame, Func<T, TResult> readFunction) =>
        activation.Silo.Loop.RunAsync(() => core.ReadAsync(frame, readFunction).AsTask());

    private Task<TResult> UpdateFromOutside<TResult>(CallFrame frame, Func<T, TResult> updateFunction) =>
        activation.Silo.Loop.RunAsync(() => core.UpdateAsync(frame, updateFunction).AsTask());

    // A frame belongs to one call on one silo: a state that leaked to another grain must not be accessed in that one's frame.
    private CallFrame? FrameOrNull() =>
        CallContext.Current is { Frame: { } frame } context && ReferenceEquals(context.Activation, activation) ? frame : null;

    private OrleansTransactionException NoTransaction() =>
        new($"A transactional state of {activation.GrainId} was accessed outside of a transaction of that grain: mark the grain interface's method [Transaction(…)].");
}
