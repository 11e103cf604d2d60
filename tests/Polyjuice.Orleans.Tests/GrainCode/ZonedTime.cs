namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>The system's clock in a zone of its own, by which it is told from others.</summary>
internal sealed class ZonedTime : TimeProvider
{
    public override TimeZoneInfo LocalTimeZone { get; } = TimeZoneInfo.CreateCustomTimeZone(
        "the test's", TimeSpan.Zero, "the test's", "the test's");
}
