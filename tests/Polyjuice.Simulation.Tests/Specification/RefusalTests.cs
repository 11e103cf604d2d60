using Polyjuice.Simulation.Canaries;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Specification;

namespace Polyjuice.Simulation.Tests.Specification;

/// <summary>
/// The specification refuses runs of an engine that lacks a rule, and names the
/// rule. Those that take more seeds than this are hunted at night (CanaryTests).
/// </summary>
public class RefusalTests
{
    private const ulong SeedsMax = 1_600;

    // The rest of such a run shows nothing: callers, bodies and what accounts hold at the end agree.
    [Theory]
    [InlineData("NoReadCheck", "R1")]
    [InlineData("NoLastCheck", "R1")]
    [InlineData("NoRtsBump", "R1")]
    [InlineData("VidSeq", "R1a")]
    [InlineData("PrepEpoch", "R1b")]
    [InlineData("Idem", "R1c")]
    [InlineData("DoneMem", "R1c")]
    [InlineData("ClockSkew", "R2")]
    [InlineData("RetimeGuard", "R2")]
    [InlineData("NoR3", "R3")]
    [InlineData("OneDependency", "R3")]
    [InlineData("R4ResetRts", "R4")]
    [InlineData("VoteNamesC", "V1")]
    [InlineData("RoDepLog", "V1")]
    [InlineData("VoteEarly", "V1")]
    [InlineData("MissingVote", "V1")]
    [InlineData("AnswerBeforeDurable", "V1")]
    [InlineData("StagedNoPromise", "V2")]
    [InlineData("StagedNoProof", "V2")]
    [InlineData("AbortViaMgr", "V3")]
    [InlineData("AbortWhileRecording", "V3")]
    [InlineData("ErrMeansNotWritten", "V3")]
    [InlineData("WoundOrdered", "V3")]
    [InlineData("Tomb", "V4")]
    [InlineData("AbortProof", "V4")]
    [InlineData("UnkProof", "V4")]
    [InlineData("StagedAbortUnlogged", "V4")]
    [InlineData("NoR7Answer", "V5")]
    [InlineData("ResolveBeforeConfirm", "V5")]
    [InlineData("DepOutcomeKept", "V6")]
    [InlineData("AgentAck", "V6")]
    [InlineData("AckProof", "V6")]
    [InlineData("StagedFinalEarly", "V6")]
    [InlineData("Fence", "L1")]
    [InlineData("BehindAnybody", "L1")]
    [InlineData("DropPrepared", "L2")]
    [InlineData("ShortRecovery", "L2")]
    [InlineData("NoR7Recovery", "L2")]
    [InlineData("NoCeiling", "L4")]
    [InlineData("NoCeilingReads", "L4")]
    [InlineData("RoCeiling", "L4")]
    [InlineData("CommitWait", "L4")]
    [InlineData("RoUndecided", "D1")]
    [InlineData("RoSkip", "D1")]
    [InlineData("NoOpacity", "opacity")]
    [InlineData("FinalStepEarly", "final step")]
    [InlineData("FinalStepAbort", "final step")]
    [InlineData("FinalStepUnawaited", "final step")]
    [InlineData("StalePrefix", "resumption")]
    [InlineData("HandOnEarly", "Q2")]
    [InlineData("ReserveOnce", "Q4")]
    [InlineData("ReserveKept", "Q5")]
    [InlineData("RowTornPrepares", "L2")]
    [InlineData("RowBatchIdentity", "L1")]
    public void A_broken_rule_is_refused_where_no_anomaly_follows(string canary, string rule)
    {
        var refused = 0;
        foreach (var run in Refused(canary, rule))
        {
            refused++;
            try
            {
                Simulator.Run(run with { Specified = false });
                return;
            }
            catch (SimulationFailedException)
            {
                // An anomaly did follow.
            }
        }

        Assert.Fail($"{refused} runs of {SeedsMax} without {canary} are refused by {rule}, all before an anomaly");
    }

    // Every run without one of these ends badly.
    [Theory]
    [InlineData("NoCascade", "R4")]
    [InlineData("OnePartition", "V7")]
    [InlineData("FinalStepDeaf", "final step")]
    public void A_broken_rule_is_named(string canary, string rule) => Assert.True(
        Refused(canary, rule).Any(),
        $"no run of {SeedsMax} without {canary} is refused by {rule}; look with: polyjuice check --break compare "
        + $"--seeds {SeedsMax}");

    private static IEnumerable<RunCase> Refused(string canary, string rule)
    {
        for (var seed = 1UL; seed <= SeedsMax; seed++)
        {
            var run = AllCanaries.Get(canary).Case with { Seed = seed };
            if (IsRefused(run, rule)) yield return run;
        }
    }

    private static bool IsRefused(RunCase run, string rule)
    {
        try
        {
            Simulator.Run(run);
            return false;
        }
        catch (SimulationFailedException failure)
        {
            // Others may notice it, or the same lack of a rule breaks another one first.
            return failure.Kind == $"{Rejected.Kind} {rule}";
        }
    }

    [Theory]
    [InlineData(Shapes.Small)]
    [InlineData(Shapes.Hostile)]
    [InlineData(Shapes.Standard)]
    public void The_specification_only_looks(string shape)
    {
        var run = new RunCase { Seed = 3, Shape = shape };
        var (specified, other) = (Simulator.Run(run), Simulator.Run(run with { Specified = false }));
        Assert.Equal((other.Digest, other.Events), (specified.Digest, specified.Events));
    }
}
