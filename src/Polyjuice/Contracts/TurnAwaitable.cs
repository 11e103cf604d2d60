using System.Threading.Tasks.Sources;

namespace Polyjuice.Contracts;

/// <summary>
/// What is awaited once, on the engine's turn, and lets its awaiter go on in a later event of it: never within the
/// event that ends it, so that who ends something is not re-entered by who awaits it. The thing itself, because a task,
/// its source and a delegate for every transaction are more than the transaction.
/// </summary>
internal abstract class TurnAwaitable : IValueTaskSource
{
    private Action<object?>? _continuation;
    private object? _state;

    /// <summary>Whether it has ended.</summary>
    protected abstract bool HasEnded { get; }

    /// <summary>To be awaited, once.</summary>
    protected ValueTask End => new(this, token: 0);

    /// <summary>It has ended just now.</summary>
    protected void Ended()
    {
        if (_continuation is not null) Continue();
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) =>
        HasEnded ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    void IValueTaskSource.GetResult(short token)
    {
    }

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        Turn.Demand();
        _continuation = continuation;
        _state = state;
        if (HasEnded) Continue();
    }

    private void Continue() => Turn.Post(static awaited => ((TurnAwaitable)awaited!).RunContinuation(), this);

    private void RunContinuation() => _continuation!(_state);
}
