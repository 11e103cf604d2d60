namespace Polyjuice.Lab.Tool.Processes;

/// <summary>The machine's clock, set apart.</summary>
internal sealed class ShiftedClock(TimeSpan shift) : TimeProvider
{
    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + shift;
}
