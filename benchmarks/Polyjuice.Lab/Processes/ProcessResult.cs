using System.Globalization;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>What a run came to.</summary>
/// <param name="Outcomes">Operations by outcome.</param>
/// <param name="Kills">Processes that were killed.</param>
/// <param name="Stops">Processes that stood still.</param>
/// <param name="Deposed">
/// Those of them that ended by themselves after they had gone on, because the others had declared them dead.
/// </param>
/// <param name="StartsInVain">Processes that ended before they served, and were started again.</param>
/// <param name="LongestCall">The longest call.</param>
/// <param name="LongestGap">The longest time without a commit of anybody.</param>
/// <param name="Complaints">What is wrong; nothing if the run is clean.</param>
/// <param name="Verdict">What the checker says.</param>
internal sealed record ProcessResult(
    IReadOnlyList<long> Outcomes, int Kills, int Stops, int Deposed, int StartsInVain, TimeSpan LongestCall,
    TimeSpan LongestGap, IReadOnlyList<string> Complaints, string Verdict)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Of(OperationOutcome.Committed):N0} committed, {Of(OperationOutcome.Declined):N0} refused, "
        + $"{Of(OperationOutcome.Aborted):N0} given up, {Of(OperationOutcome.InDoubt):N0} in doubt; {Kills} kills, "
        + $"{Stops} stops, of which {Deposed} were fenced, {StartsInVain} starts in vain; longest call "
        + $"{LongestCall.TotalSeconds:0.0} s, longest time without a commit {LongestGap.TotalSeconds:0.0} "
        + $"s; {Verdict}");

    private long Of(OperationOutcome outcome) => Outcomes[(int)outcome];
}
