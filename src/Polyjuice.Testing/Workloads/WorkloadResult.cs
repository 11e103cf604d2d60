using System.Globalization;

namespace Polyjuice.Testing;

/// <summary>What a workload's clients were told.</summary>
/// <param name="Committed">Calls that succeeded.</param>
/// <param name="Refused">Calls whose transaction the application's own exception aborted.</param>
/// <param name="GivenUp">Calls that the engine gave up, without an effect.</param>
/// <param name="InDoubt">Calls of which nobody knows whether they had an effect: not answered, or in doubt.</param>
/// <param name="Elapsed">How long it took.</param>
public sealed record WorkloadResult(long Committed, long Refused, long GivenUp, long InDoubt, TimeSpan Elapsed)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Committed:N0} committed, {Refused:N0} refused, {GivenUp:N0} given up, {InDoubt:N0} in doubt in "
        + $"{Elapsed.TotalSeconds:0.0} s");
}
