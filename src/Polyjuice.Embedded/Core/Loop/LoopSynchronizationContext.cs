namespace Polyjuice.Embedded.Core;

/// <summary>Brings awaits back to a loop, as work already begun.</summary>
internal sealed class LoopSynchronizationContext(NodeLoop loop) : SynchronizationContext
{
    /// <inheritdoc/>
    public override void Post(SendOrPostCallback d, object? state) => loop.Post(d, state);

    /// <inheritdoc/>
    public override void Send(SendOrPostCallback d, object? state)
    {
        if (loop.IsCurrent) d(state);
        else throw new NotSupportedException("Nothing waits for a silo's thread: use Post.");
    }

    /// <inheritdoc/>
    public override SynchronizationContext CreateCopy() => this;
}
