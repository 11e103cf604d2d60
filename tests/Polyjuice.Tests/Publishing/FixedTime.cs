namespace Polyjuice.Tests.Publishing;

/// <summary>A clock that always says the same.</summary>
internal sealed class FixedTime(DateTimeOffset now) : TimeProvider
{
    public override DateTimeOffset GetUtcNow() => now;
}
