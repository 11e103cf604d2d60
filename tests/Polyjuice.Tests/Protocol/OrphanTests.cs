using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

/// <summary>
/// What a death leaves undecided is decided as soon as the dead owner's partition is served again, and not when
/// somebody's patience ends: until then it guards its grains. T writes at partition 0, its manager, and at
/// partition 1; the bounds on patience are the engine's own.
/// </summary>
public sealed class OrphanTests
{
    // Two round trips and two appends, as the script's network and logs take them, in microseconds.
    private const long DecidedWithin = (4 * 100) + (2 * 200);

    /// <summary>Which moment of T's commit the death comes in.</summary>
    public enum Moment
    {
        ParticipantIsNotAsked,
        ParticipantPrepares,
        ParticipantHasPrepared,
        ManagerPrepares,
        ManagerHasPrepared,
        ManagerLacksOneVote,
        ManagerRecords,
    }

    public static TheoryData<Moment, bool> DeathsOfOwners()
    {
        var data = new TheoryData<Moment, bool>();
        foreach (var moment in Enum.GetValues<Moment>())
        {
            data.Add(moment, true);
            data.Add(moment, false);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(DeathsOfOwners))]
    public void What_an_owner_leaves_is_decided_when_its_partition_is_served_again(Moment moment, bool staged)
    {
        var s = Make(staged);
        var (record, append) = Bring(s, moment, staged);
        var dead = moment <= Moment.ParticipantHasPrepared ? 1 : 0;
        s.Cluster.Crash(s.FirstOwner(dead), detect: false);
        append?.Lose();
        foreach (var rule in s.Wire.Rules) rule.Off();
        s.Cluster.Deaths.Declare(s.FirstOwner(dead));

        s.TakeOver(dead, s.Spare);

        var since = s.Cluster.Loop.Now;
        s.Until(() => !IsUndecided(s), "everything is decided");
        Assert.InRange(s.Cluster.Loop.Now - since, 0, DecidedWithin);
        s.Until(record);
        s.Commit(s.OtherAgent, Scenario.Updates("Next", 1, 0));
        s.Judge();
    }

    [Theory]
    [InlineData(Moment.ParticipantIsNotAsked, true)]
    [InlineData(Moment.ParticipantIsNotAsked, false)]
    [InlineData(Moment.ManagerLacksOneVote, true)]
    [InlineData(Moment.ManagerLacksOneVote, false)]
    public void What_an_agent_leaves_is_decided_when_its_death_is_known(Moment moment, bool staged)
    {
        var s = Make(staged);
        var (record, _) = Bring(s, moment, staged);
        s.Cluster.Crash(s.Agent, detect: false);
        foreach (var rule in s.Wire.Rules) rule.Off();

        s.Cluster.Deaths.Declare(s.Agent);

        var since = s.Cluster.Loop.Now;
        s.Until(() => !IsUndecided(s), "everything is decided");
        Assert.InRange(s.Cluster.Loop.Now - since, 0, DecidedWithin);
        Assert.Equal(Outcome.Lost, record.Outcome);
        s.Commit(s.OtherAgent, Scenario.Updates("Next", 1, 0));
        s.Judge();
    }

    [Fact]
    public void What_runs_and_has_used_a_partition_that_has_another_owner_ends_at_once()
    {
        var s = Make(staged: true);
        s.TakeOver(2, s.Spare);
        s.Commit(s.Agent, Scenario.Updates("Known", 2));
        var gate = new Gate();
        var record = s.Start(
            s.Agent,
            Scenario.Once(new TransactionSpec("T", Step.Sequence(Step.Update(0), Step.Update(1), Step.Wait(gate)))));
        s.Until(() => gate.Arrivals > 0, "T has used both partitions");

        s.TakeOver(1, s.Spare);

        s.Run(DecidedWithin);
        Assert.False(IsUndecided(s), "T still guards what it has accessed");
        gate.Open();
        s.Until(record);
        Assert.Equal(Outcome.Aborted, record.Outcome);
        s.Judge();
    }

    private static Scenario Make(bool staged) => new(ProtocolBreaks.None, staged: staged, configure: options =>
    {
        var usual = new EngineOptions();
        options.AnnouncesTakeOvers = usual.AnnouncesTakeOvers;
        options.ResendMicroseconds = usual.ResendMicroseconds;
        options.PrepareTimeoutMicroseconds = usual.PrepareTimeoutMicroseconds;
    });

    private static (TransactionRecord Record, AppendRule? Append) Bring(Scenario s, Moment moment, bool staged)
    {
        var (manager, participant) = (s.FirstOwner(0).Id, s.FirstOwner(1).Id);
        var own = staged ? LogRecordKind.Staged : LogRecordKind.Prepare;
        AppendRule? append = null;
        switch (moment)
        {
            case Moment.ParticipantIsNotAsked:
                s.Wire.Drop(Scenario.Of(MessageKind.Prepare, to: participant));
                break;
            case Moment.ParticipantPrepares:
                append = s.Log.Hold(1, LogRecordKind.Prepare);
                break;
            case Moment.ParticipantHasPrepared or Moment.ManagerLacksOneVote:
                s.Wire.Drop(Scenario.Of(MessageKind.Vote, from: participant));
                break;
            case Moment.ManagerPrepares:
                append = s.Log.Hold(0, own);
                break;
            case Moment.ManagerHasPrepared:
                s.Wire.Drop(Scenario.Of(MessageKind.Vote));
                s.Wire.Drop(Scenario.Of(MessageKind.AgentOutcome, from: manager));
                break;
            case Moment.ManagerRecords:
                append = s.Log.Hold(0, LogRecordKind.Commit);
                break;
        }

        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        var isParticipantReady = moment is Moment.ParticipantIsNotAsked or Moment.ParticipantPrepares;
        s.Until(() => (isParticipantReady || Scenarios.HasLogged(s, 1, LogRecordKind.Prepare, s.Agent))
            && (moment is Moment.ManagerPrepares || Scenarios.HasLogged(s, 0, own, s.Agent)),
            "the prepares are where they are to be");

        // What can arrive has arrived.
        s.Run(1_000);
        return (record, append);
    }

    private static bool IsUndecided(Scenario s) => s.Cluster.Alive
        .SelectMany(node => node.Engine.Partitions.All)
        .Any(
            owner =>
                owner.Branches.Any(branch => branch.IsUndecided) || owner.Decisions.Any(
                    decision => decision.State is not (DecisionState.Committed or DecisionState.Aborted)));
}
