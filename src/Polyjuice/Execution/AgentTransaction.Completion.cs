namespace Polyjuice.Execution;

// What the caller's side awaits: the attempt itself.
internal sealed partial class AgentTransaction : TurnAwaitable
{
    /// <summary>Completes when <see cref="Result"/> is there.</summary>
    public ValueTask Completion => End;

    protected override bool HasEnded => IsComplete;

    /// <summary>Ends the attempt; <see langword="null"/> when committed, else why not. Only the first word counts.</summary>
    public void Complete(AbortInfo? abort)
    {
        if (IsComplete) return;
        IsComplete = true;
        Result = abort;
        State = AgentState.Done;
        Watch?.Abandon();
        Reserving?.Stop();
        Ended();
    }
}
