namespace Polyjuice.Simulation.Events;

/// <summary>Where a client's asynchronous code runs: after each wait it goes on as an event of the loop.</summary>
/// <param name="loop">Whose.</param>
internal sealed class ClientTurn(EventLoop loop) : SynchronizationContext
{
    /// <summary>Runs a script, and the loop until that has ended. What the script throws is thrown.</summary>
    /// <param name="script">Its waits must be events of the loop: delays take its <see cref="VirtualTime"/>.</param>
    /// <param name="microsecondsMax">The virtual time that it may take.</param>
    /// <exception cref="SimulationFailedException">It has not ended by then, or nothing is left to run.</exception>
    public void Run(Func<Task> script, long microsecondsMax)
    {
        var running = Task.CompletedTask;
        Enter(() => running = script());
        if (!loop.RunUntil(() => running.IsCompleted, microsecondsMax))
        {
            var left = loop.ForegroundEvents;
            var why = left == 0
                ? "and nothing is left to run: it waits for what is no event of the loop, such as a real timer"
                : $"and {left} events are left";
            var problem = $"a client's script has not ended at {loop.Now} µs, {why}";
            throw new SimulationFailedException("progress", problem);
        }

        running.GetAwaiter().GetResult();
    }

    /// <inheritdoc/>
    public override void Post(SendOrPostCallback d, object? state) =>
        loop.Queue(0, EventKind.Client, 0, () => Enter(() => d(state)));

    /// <inheritdoc/>
    public override void Send(SendOrPostCallback d, object? state) =>
        throw new NotSupportedException("A turn never blocks on another.");

    /// <inheritdoc/>
    public override SynchronizationContext CreateCopy() => this;

    private void Enter(Action run)
    {
        var outer = Current;
        SetSynchronizationContext(this);
        try
        {
            run();
        }
        finally
        {
            SetSynchronizationContext(outer);
        }
    }
}
