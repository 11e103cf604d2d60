namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Which calls are under way, told apart by whether they began before a moment: they are counted in one of two places,
/// and whoever wants those of before to end has new ones counted in the other. Thread-safe; counting allocates nothing.
/// </summary>
internal sealed class CallsUnderWay
{
    private readonly int[] _counts = new int[2];
    private readonly TaskCompletionSource?[] _ended = new TaskCompletionSource?[2];
    private int _place;

    /// <summary>A call begins.</summary>
    /// <returns>To be disposed of once, when the call has ended.</returns>
    public Call Enter()
    {
        var place = Volatile.Read(ref _place);
        Interlocked.Increment(ref _counts[place]);
        return new(this, place);
    }

    /// <summary>Completes when all calls that are under way now have ended. One caller at a time.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled before.</exception>
    public Task WhenEndedAsync(CancellationToken cancellationToken)
    {
        var place = Volatile.Read(ref _place);
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Volatile.Write(ref _ended[place], ended);
        Interlocked.Exchange(ref _place, 1 - place);

        // After the exchange: the last one either finds whom to tell, or has left by now.
        if (Volatile.Read(ref _counts[place]) == 0) ended.TrySetResult();
        return ended.Task.WaitAsync(cancellationToken);
    }

    private void Leave(int place)
    {
        if (Interlocked.Decrement(ref _counts[place]) == 0) Volatile.Read(ref _ended[place])?.TrySetResult();
    }

    /// <summary>A call that is under way.</summary>
    internal readonly struct Call(CallsUnderWay calls, int place) : IDisposable
    {
        /// <summary>It has ended.</summary>
        public void Dispose() => calls.Leave(place);
    }
}
