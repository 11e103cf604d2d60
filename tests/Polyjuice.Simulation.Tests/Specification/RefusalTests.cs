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
    [InlineData("NoCascade", "R4")]
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
    [InlineData("OnePartition", "V7")]
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
    [InlineData("FinalStepDeaf", "final step")]
    [InlineData("StalePrefix", "resumption")]
    [InlineData("HandOnEarly", "Q2")]
    [InlineData("ReserveOnce", "Q4")]
    [InlineData("ReserveKept", "Q5")]
    [InlineData("RowTornPrepares", "L2")]
    [InlineData("RowBatchIdentity", "L1")]
    public void A_broken_rule_is_named(string canary, string rule)
    {
        for (var seed = 1UL; seed <= SeedsMax; seed++)
        {
            try
            {
                Simulator.Run(AllCanaries.Get(canary).Case with { Seed = seed });
            }
            catch (SimulationFailedException failure) when (failure.Kind == $"{Rejected.Kind} {rule}")
            {
                return;
            }
            catch (SimulationFailedException)
            {
                // Others notice it, or the same lack of a rule breaks another one first.
            }
        }

        Assert.Fail(
            $"no run of {SeedsMax} without {canary} is refused by {rule}; look with: polyjuice check --break compare "
            + $"--seeds {SeedsMax}");
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
