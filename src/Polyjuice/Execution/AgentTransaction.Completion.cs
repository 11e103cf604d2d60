using System.Threading.Tasks.Sources;

namespace Polyjuice.Execution;

// What the caller's side awaits: the attempt itself, because a task, its source and a delegate for every transaction are more than the attempt.
internal sealed partial class AgentTransaction : IValueTaskSource
{
    private Action<object?>? _continuation;
    private object? _continuationState;

    /// <summary>Completes when <see cref="Result"/> is there. To be awaited once, on the engine's turn; goes on in a later event of it.</summary>
    public ValueTask Completion => new(this, token: 0);

    /// <summary>Ends the attempt; <see langword="null"/> when committed, else why not. Only the first word counts.</summary>
    public void Complete(AbortInfo? abort)
    {
        if (IsComplete) return;
        IsComplete = true;
        Result = abort;
        State = AgentState.Done;
        Watch?.Abandon();
        if (_continuation is not null) Continue();
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => IsComplete ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    void IValueTaskSource.GetResult(short token)
    {
    }

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        Turn.Demand();
        _continuation = continuation;
        _continuationState = state;
        if (IsComplete) Continue();
    }

    /// <summary>Never within the event that completes it: who ends an attempt is not re-entered by who awaits it.</summary>
    private void Continue() => Turn.Post(static agent => ((AgentTransaction)agent!).RunContinuation(), this);

    private void RunContinuation() => _continuation!(_continuationState);
}
