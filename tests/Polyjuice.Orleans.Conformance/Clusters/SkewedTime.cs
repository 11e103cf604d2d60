namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>The system's clock, off by a constant.</summary>
public sealed class SkewedTime(TimeSpan offset) : TimeProvider
{
    public override DateTimeOffset GetUtcNow() => System.GetUtcNow() + offset;
}
