namespace Polyjuice.Orleans.Turns;

/// <summary>
/// Where an access that had to wait comes back to: the turn of the grain that made it, and on the engine's turn within
/// that. So what the application gave to an access runs where its grain's other code runs, and never beside it.
/// </summary>
internal sealed class GrainTurn(EngineTurn turn, TaskScheduler scheduler) : SynchronizationContext
{
    /// <summary>The grain's scheduler.</summary>
    public TaskScheduler Scheduler => scheduler;

    /// <inheritdoc/>
    public override void Post(SendOrPostCallback d, object? state)
    {
        _ = Task.Factory.StartNew(
            static item => ((Item)item!).Run(),
            new Item(this, new(d, state)),
            CancellationToken.None,
            TaskCreationOptions.DenyChildAttach,
            scheduler);
    }

    /// <inheritdoc/>
    public override void Send(SendOrPostCallback d, object? state) =>
        throw new NotSupportedException("Nothing waits for a grain's turn: use Post.");

    /// <inheritdoc/>
    public override SynchronizationContext CreateCopy() => this;

    private void Run(Work work)
    {
        using (turn.Enter(this)) work.Callback(work.State);
    }

    private sealed class Item(GrainTurn owner, Work work)
    {
        public void Run() => owner.Run(work);
    }
}
