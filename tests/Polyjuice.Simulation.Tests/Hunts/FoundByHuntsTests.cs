using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Tests.Hunts;

/// <summary>Runs that hunts have found, in which the engine did wrong or the specification was too strict. Later
/// versions make other runs of them.</summary>
public class FoundByHuntsTests
{
    private static readonly Found[] s_found =
    [
        // V2: asked twice, an owner answers the first question by the append that followed it.
        new(
            2000041, "moving",
            "owners,crash-mid-batch,loss,partition,one-way-partition,clock-jump,torn-write,wild-clock",
            "",
            "outage@log.Fence%2,outage@log.Ceiling%6,slow-silo@log.Ceiling%6,"
            + "crash-mid-batch@DependencyQuery#2,loss@AbortRequest%5,outage@Acknowledge#1,loss@Vote%20,"
            + "error-before-write@log.OldestLive#4x2,slow-storage@log.Outcome#2x3"),
        // V6: a reader has logged an earlier round.
        new(
            3000037, "reserving",
            "storage,outage,loss,delay,partition,one-way-partition,slow-silo",
            "load=712701,network=197708,storage=146249,policies=755754",
            "delay@DependencyAnswer%100,outage@log.Resolved%6,duplication@Query%50,"
            + "rival-owner@log.Forget%20,delay@DependencyQuery#2x3,delay@Acknowledge%100,loss@Query%5,"
            + "error-after-write@log.Ceiling%20,delay@Acknowledge%50,crash-mid-batch@log.Fence%2,"
            + "rival-owner@DependencyAnswer#1,rival-owner@Query#7,late-write@log.Prepare%50,"
            + "silo-crash@Subscribe#48,loss@Outcome#2,one-way-partition@Reserved#20"),
        // R1b: a body met two epochs of one partition.
        new(
            6000223, "moving",
            "clock,owners,silo-crash,outage,duplication,delay,one-way-partition,error-after-write,"
            + "late-write,slow-storage",
            "storage=408079",
            "late-write@log.Forget#2,outage@log.Ceiling%2,one-way-partition@log.Staged%2,"
            + "rival-owner@DependencyAnswer#2,delay@Reserve#2,delay@Acknowledge#6x4,delay@AbortRequest#1,"
            + "delay@DependencyQuery%5,rival-owner@log.Resolved%2,loss@AbortRequest%100,"
            + "duplication@AbortRequest#1,silo-crash@log.OldestLive#10,rival-owner@log.Forget%6,"
            + "rival-owner@log.Staged%6,duplication@Acknowledge%20,loss@Outcome%100,"
            + "delay@DependencyQuery%20,rival-owner@Probe#6"),
        // R1b: the same without aims.
        new(
            9000273, "hanging",
            "all",
            "",
            ""),
        // V6: an outcome that arrives twice is logged twice, and forgotten between the two acknowledgements.
        new(
            1795872236, "moving",
            "owners,loss,slow-storage",
            "",
            "slow-storage@log.Commit%20,loss@PrepareReply#1,duplication@Outcome%100,late-write@log.Commit%5"),
        // V4: a staged prepare went into the log together with its end, and the abort was told.
        new(
            11000358, "reserving",
            "none",
            "",
            "clock-jump@Query%2,rival-owner@PrepareReply%6,rival-owner@AbortRequest%2,loss@Admission%5,"
            + "loss@DependencyQuery%50,delay@News%5"),
    ];

    [Fact]
    public void An_answer_that_comes_late_takes_back_no_reservation_that_the_body_counts_on()
    {
        var result = Simulator.Run(new RunCase
        {
            Seed = 21,
            Shape = Shapes.Hanging,
            Faults = FaultNames.Parse("owners,silo-crash,crash-mid-batch,loss,delay,clock-skew,slow-storage"),
            FaultBudget = 73,
            Streams = RunStreams.Parse("network=439692,storage=358937,faults=97188"),
            Aims = [Aim.Parse("loss@Subscribe#3"), Aim.Parse("loss@AgentOutcome%100")],
            Workload = WorkloadKind.Mixed,
            Storage = StorageKind.Mixed,
            Silos = 4,
            Partitions = 2,
            Keys = 4,
            Transactions = 14,
        });
        Assert.True(result.Transactions > 0);
    }

    /// <summary>
    /// R1c: a call was given up where its partition had no owner that could remember it. When the next owner served, another
    /// call of the same transaction was served there, and so was a copy of the first one.
    /// </summary>
    [Fact]
    public void A_copy_of_a_call_that_was_given_up_is_not_served_by_the_next_owner_of_this_node()
    {
        var result = Simulator.Run(new RunCase
        {
            Seed = 1795881814,
            Shape = Shapes.Small,
            Faults = FaultNames.Parse(
                "owners,duplication,delay,partition,one-way-partition,clock-jump,error-before-write,error-after-write"),
            FaultBudget = 31,
            Streams = RunStreams.Parse("load=148497,network=268386,storage=688129,faults=649949,policies=282452"),
            Aims =
            [
                .. ("rival-owner@log.Prepare%2,error-before-write@log.Resolved%20,one-way-partition@log.Commit%6,delay@Outcome%5,"
                    + "rival-owner@PrepareReply%20,delay@Outcome%20,delay@Prepare#9x2,delay@Probe#1,duplication@AbortRequest%100,"
                    + "rival-owner@log.Outcome%2").Split(',').Select(Aim.Parse),
            ],
            Workload = WorkloadKind.Mixed,
            Silos = 4,
            Partitions = 3,
            Keys = 5,
            Transactions = 14,
        });
        Assert.True(result.Transactions > 0);
    }

    /// <summary>
    /// R1c: a node lost one partition in which an attempt was prepared, and forgot it, although its other partition had refused
    /// a round and would be asked for another one. A copy of a call was entered again.
    /// </summary>
    [Fact]
    public void A_node_that_loses_a_partition_remembers_the_calls_of_what_still_runs_in_another_one()
    {
        var result = Simulator.Run(new RunCase
        {
            Seed = 1795885066,
            Shape = Shapes.Deciding,
            Faults = FaultNames.Parse(
                "network,crash,owners,clock-jump,error-before-write,error-after-write,late-write,read-error,slow-storage"),
            FaultBudget = 104,
            Streams = RunStreams.Parse("network=465945,faults=59740,policies=640013"),
            Aims =
            [
                .. ("clock-jump@Prepare#2,rival-owner@AgentOutcome#1,loss@Vote%5,slow-silo@log.Fence%2,error-before-write@log.Commit%50,"
                    + "loss@PrepareReply#2x2,delay@Query%100,duplication@AbortRequest%50").Split(',').Select(Aim.Parse),
            ],
            Workload = WorkloadKind.Mixed,
            Silos = 3,
            Partitions = 3,
            Keys = 5,
            Transactions = 13,
        });
        Assert.True(result.Transactions > 0);
    }

    /// <summary>
    /// R1c: a node served a partition, was deposed, and served it again. What was over under its first epoch was new under the
    /// second one.
    /// </summary>
    [Fact]
    public void A_node_that_serves_a_partition_again_knows_what_was_over_there()
    {
        var result = Simulator.Run(new RunCase
        {
            Seed = 1795886172,
            Shape = Shapes.Deciding,
            Faults = FaultNames.Parse(
                "owners,silo-crash,outage,duplication,delay,one-way-partition,slow-silo,late-write,wild-clock"),
            FaultBudget = 61,
            Streams = RunStreams.Parse("storage=218370,policies=31366"),
            Aims =
            [
                .. ("delay@PrepareReply%20,rival-owner@log.Ceiling#2,loss@PrepareReply%20,slow-silo@log.Prepare#1")
                    .Split(',').Select(Aim.Parse),
            ],
            Workload = WorkloadKind.Mixed,
            Silos = 4,
            Partitions = 1,
            Keys = 2,
            Transactions = 7,
        });
        Assert.True(result.Transactions > 0);
    }

    /// <summary>
    /// A prepare that got lost was not repeated for a turn of the wheel that its agent is looked at by, if it began in one of
    /// 512 slots: what was to be looked at soon was put into the same slot always.
    /// </summary>
    [Fact]
    public void What_got_lost_is_repeated_in_whatever_slot_of_time_it_was_sent()
    {
        var result = Simulator.Run(new RunCase
        {
            Seed = 1795887668,
            Shape = "any",
            Faults = FaultNames.Parse("none"),
            Workload = WorkloadKind.Mixed,
            Storage = StorageKind.Rows,
            Silos = 2,
            Partitions = 1,
            Keys = 4,
            Transactions = 19,
        });
        Assert.True(result.Transactions > 0);
    }

    public static TheoryData<int> Numbers => [.. Enumerable.Range(0, s_found.Length)];

    [Theory]
    [MemberData(nameof(Numbers))]
    public void What_a_hunt_has_found_is_mended(int number)
    {
        var found = s_found[number];
        var result = Simulator.Run(new RunCase
        {
            Seed = found.Seed,
            Shape = found.Shape,
            Faults = FaultNames.Parse(found.Faults),
            Streams = RunStreams.Parse(found.Streams),
            Aims = [.. found.Aims.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(Aim.Parse)],
        });
        Assert.True(result.Transactions > 0);
    }

    private sealed record Found(ulong Seed, string Shape, string Faults, string Streams, string Aims);
}
