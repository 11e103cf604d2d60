namespace Polyjuice.Orleans.Tests.Idempotency;

/// <summary>The system's clock, put forward.</summary>
internal sealed class ShiftedTime : TimeProvider
{
    private long _ticks;

    /// <summary>Puts it forward by so much more.</summary>
    public void Add(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow().AddTicks(Volatile.Read(ref _ticks));
}
