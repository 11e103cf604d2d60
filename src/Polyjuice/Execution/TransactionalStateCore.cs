namespace Polyjuice.Execution;

/// <summary>One transactional state of one grain activation: what the host's <c>ITransactionalState&lt;T&gt;</c> calls. Turn only.</summary>
/// <typeparam name="T">The state type.</typeparam>
public sealed partial class TransactionalStateCore<T> where T : class
{
    /// <summary>Reads. The function gets a copy (or an immutable version) and may run more than once.</summary>
    public ValueTask<TResult> ReadAsync<TResult>(CallFrame frame, Func<T, TResult> read) => throw null!;

    /// <summary>Reads, modifies and writes. The function changes the copy that it is given.</summary>
    public ValueTask<TResult> UpdateAsync<TResult>(CallFrame frame, Func<T, TResult> update) => throw null!;
}
