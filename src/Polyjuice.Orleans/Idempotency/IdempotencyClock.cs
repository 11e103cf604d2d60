namespace Polyjuice.Orleans.Idempotency;

/// <summary>By which records expire. Thread-safe.</summary>
/// <param name="time">The silo's clock.</param>
internal sealed class IdempotencyClock(TimeProvider time)
{
    /// <summary>Now, in ticks of UTC.</summary>
    public long Now => time.GetUtcNow().UtcTicks;
}
