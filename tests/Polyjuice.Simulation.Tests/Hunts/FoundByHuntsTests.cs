using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Tests.Hunts;

/// <summary>Runs that hunts have found, in which the engine did wrong or the specification was too strict. Later
/// versions make other runs of them.</summary>
public class FoundByHuntsTests
{
    private static readonly RunCase[] s_found =
    [
        // V2: asked twice, an owner answers the first question by the append that followed it.
        Found(
            2000041, "moving",
            "owners,crash-mid-batch,loss,partition,one-way-partition,clock-jump,torn-write,wild-clock",
            "",
            "outage@log.Fence%2,outage@log.Ceiling%6,slow-silo@log.Ceiling%6,"
            + "crash-mid-batch@DependencyQuery#2,loss@AbortRequest%5,outage@Acknowledge#1,loss@Vote%20,"
            + "error-before-write@log.OldestLive#4x2,slow-storage@log.Outcome#2x3"),
        // V6: a reader has logged an earlier round.
        Found(
            3000037, "reserving",
            "storage,outage,loss,delay,partition,one-way-partition,slow-silo",
            "load=712701,network=197708,storage=146249,policies=755754",
            "delay@DependencyAnswer%100,outage@log.Resolved%6,duplication@Query%50,"
            + "rival-owner@log.Forget%20,delay@DependencyQuery#2x3,delay@Acknowledge%100,loss@Query%5,"
            + "error-after-write@log.Ceiling%20,delay@Acknowledge%50,crash-mid-batch@log.Fence%2,"
            + "rival-owner@DependencyAnswer#1,rival-owner@Query#7,late-write@log.Prepare%50,"
            + "silo-crash@Subscribe#48,loss@Outcome#2,one-way-partition@Reserved#20"),
        // R1b: a body met two epochs of one partition.
        Found(
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
        Found(
            9000273, "hanging",
            "all",
            "",
            ""),
        // V6: an outcome that arrives twice is logged twice, and forgotten between the two acknowledgements.
        Found(
            1795872236, "moving",
            "owners,loss,slow-storage",
            "",
            "slow-storage@log.Commit%20,loss@PrepareReply#1,duplication@Outcome%100,late-write@log.Commit%5"),
        // V4: a staged prepare went into the log together with its end, and the abort was told.
        Found(
            11000358, "reserving",
            "none",
            "",
            "clock-jump@Query%2,rival-owner@PrepareReply%6,rival-owner@AbortRequest%2,loss@Admission%5,"
            + "loss@DependencyQuery%50,delay@News%5"),
        // Q3: a late answer took back a reservation that the body counted on.
        Found(
            21, "hanging",
            "owners,silo-crash,crash-mid-batch,loss,delay,clock-skew,slow-storage",
            "network=439692,storage=358937,faults=97188",
            "loss@Subscribe#3,loss@AgentOutcome%100") with
        {
            FaultBudget = 73, Workload = WorkloadKind.Mixed, Storage = StorageKind.Mixed,
            Silos = 4, Partitions = 2, Keys = 4, Transactions = 14,
        },
        // R1c: a call was given up where its partition had no owner that could remember it. When the next owner served,
        // another call of the same transaction was served there, and so was a copy of the first one.
        Found(
            1795881814, "small",
            "owners,duplication,delay,partition,one-way-partition,clock-jump,error-before-write,error-after-write",
            "load=148497,network=268386,storage=688129,faults=649949,policies=282452",
            "rival-owner@log.Prepare%2,error-before-write@log.Resolved%20,one-way-partition@log.Commit%6,"
            + "delay@Outcome%5,rival-owner@PrepareReply%20,delay@Outcome%20,delay@Prepare#9x2,delay@Probe#1,"
            + "duplication@AbortRequest%100,rival-owner@log.Outcome%2") with
        {
            FaultBudget = 31, Workload = WorkloadKind.Mixed, Silos = 4, Partitions = 3, Keys = 5, Transactions = 14,
        },
        // R1c: a node lost one partition in which an attempt was prepared, and forgot it, although its other partition
        // had refused a round and would be asked for another one. A copy of a call was entered again.
        Found(
            1795885066, "deciding",
            "network,crash,owners,clock-jump,error-before-write,error-after-write,late-write,read-error,slow-storage",
            "network=465945,faults=59740,policies=640013",
            "clock-jump@Prepare#2,rival-owner@AgentOutcome#1,loss@Vote%5,slow-silo@log.Fence%2,"
            + "error-before-write@log.Commit%50,loss@PrepareReply#2x2,delay@Query%100,duplication@AbortRequest%50") with
        {
            FaultBudget = 104, Workload = WorkloadKind.Mixed, Silos = 3, Partitions = 3, Keys = 5, Transactions = 13,
        },
        // R1c: a node served a partition, was deposed, and served it again. What was over under its first epoch was new
        // under the second one.
        Found(
            1795886172, "deciding",
            "owners,silo-crash,outage,duplication,delay,one-way-partition,slow-silo,late-write,wild-clock",
            "storage=218370,policies=31366",
            "delay@PrepareReply%20,rival-owner@log.Ceiling#2,loss@PrepareReply%20,slow-silo@log.Prepare#1") with
        {
            FaultBudget = 61, Workload = WorkloadKind.Mixed, Silos = 4, Partitions = 1, Keys = 2, Transactions = 7,
        },
        // A prepare that got lost was not repeated for a turn of the wheel that its agent is looked at by, if it was
        // sent in one of 512 slots of time.
        Found(1795887668, "any", "none", "", "") with
        {
            Workload = WorkloadKind.Mixed, Storage = StorageKind.Rows,
            Silos = 2, Partitions = 1, Keys = 4, Transactions = 19,
        },
        // Q1: an access whose agent was done with it came to the queue again that it had just left.
        Found(
            1795895495, "deciding",
            "crash,owners,loss,duplication,delay,partition,clock-jump,error-before-write,error-after-write,late-write,"
            + "read-error,slow-storage",
            "load=632116,network=716969,storage=137916,faults=487038,policies=47467",
            "rival-owner@Probe#1,rival-owner@log.Staged#2,rival-owner@log.Outcome#1") with
        {
            FaultBudget = 107, Workload = WorkloadKind.Mixed, Silos = 4, Partitions = 2, Keys = 1, Transactions = 16,
        },
        // Q2: a message of the chain came after a call of the body, which ran without what it reserves.
        Found(
            1795891527, "moving",
            "owners,silo-crash,loss,delay,slow-storage",
            "network=892249,faults=996631",
            "loss@Query#3x3,error-before-write@log.Outcome%50,slow-silo@log.Outcome%20,rival-owner@log.Ceiling%2,"
            + "slow-silo@log.Commit#1,error-before-write@log.Prepare%20,loss@Outcome%100,rival-owner@log.Outcome#1,"
            + "delay@Query%20,delay@Reserved#5x4") with
        {
            FaultBudget = 215, Workload = WorkloadKind.Mixed, Silos = 3, Partitions = 2, Keys = 3, Transactions = 12,
        },
        // Q2: an owner of before said that it was held there, and the one of now handed on what waited.
        Found(
            1795899139, "hanging",
            "owners,silo-crash,crash-mid-batch,loss,delay,clock-skew,slow-storage",
            "load=897394,network=264985,storage=322824,faults=217566,policies=135122",
            "rival-owner@log.Commit#1,delay@DryRunEnded#1x3") with
        {
            FaultBudget = 94, Workload = WorkloadKind.Mixed, Silos = 4, Partitions = 2, Keys = 4, Transactions = 9,
        },
        // Q3: what nobody served was said to be held.
        Found(
            1795891769, "deciding",
            "owners,delay,partition,one-way-partition,error-before-write,error-after-write,read-error,wild-clock",
            "load=775068,network=279457,storage=961467,faults=931349",
            "delay@Prepare#3,duplication@AgentOutcome%5,clock-jump@log.Fence%2,loss@PrepareReply#3x2,delay@GiveWay#6x4,"
            + "loss@Parallel#1x2,delay@Parallel#1x3,loss@Probe#2x2") with
        {
            FaultBudget = 56, Workload = WorkloadKind.Mixed, Silos = 4, Partitions = 2, Keys = 5, Transactions = 16,
        },
        // Q3: who had asked had left the queue, and come again with an access, younger than the one who gave way.
        Found(
            1795897013, "reserving",
            "none",
            "load=60095,network=993896,storage=42744",
            "rival-owner@log.Ceiling%20,one-way-partition@log.Outcome#1,partition@log.Staged#1,silo-crash@log.Forget%6,"
            + "rival-owner@log.Staged#1,rival-owner@log.Fence#1,error-before-write@log.Resolved#1x2,"
            + "rival-owner@log.Ceiling%2,rival-owner@AgentOutcome%20,slow-storage@log.Fence%20,"
            + "rival-owner@log.Fence#3") with
        {
            FaultBudget = 10, Workload = WorkloadKind.Mixed, Silos = 3, Partitions = 2, Keys = 5, Transactions = 38,
        },
        // A row's deposed owner, told what was not true any more, stopped its silo.
        Found(
            1795891732, "reserving",
            "none",
            "load=300802,network=451458,storage=114184,faults=347677,policies=815207",
            "loss@Outcome#1x2,rival-owner@log.Outcome%6,loss@DependencyQuery%20,rival-owner@log.Ceiling%20,"
            + "loss@Abandon#2x4,rival-owner@Victim#1,partition@Hot%2,loss@Victim#1x4,loss@Vote%20,loss@Prepare#1,"
            + "loss@Reserved#66x2,rival-owner@log.Outcome%20,loss@AbortRequest#3,silo-crash@Doomed#153,"
            + "silo-crash@log.Staged%20,loss@Outcome%50,outage@log.OldestLive%20") with
        {
            FaultBudget = 82, Workload = WorkloadKind.Mixed, Storage = StorageKind.Mixed,
            Silos = 3, Partitions = 4, Keys = 4, Transactions = 26,
        },
        // The same of a row with a late fence.
        Found(
            42, "moving",
            "none",
            "faults=433713,policies=441606",
            "slow-silo@log.Ceiling%2,rival-owner@log.Prepare#4,late-write@log.Outcome#3x4,delay@PrepareReply#4x2,"
            + "silo-crash@log.Outcome#4,delay@Outcome#4,delay@Probe%20,rival-owner@DependencyAnswer#1,"
            + "loss@VoteQuery#1x2,slow-storage@log.Resolved#2,rival-owner@log.Staged#4,loss@Outcome%100,"
            + "rival-owner@Prepare%20,late-write@log.Commit#3,delay@DependencyQuery%50,"
            + "error-before-write@log.Commit#2,loss@Query#3,loss@AgentOutcome%100,delay@Prepare%20,"
            + "silo-crash@Prepare#14") with { Storage = StorageKind.Rows },
        // V2: who had loaded a row, and never stored it, was the manager in an epoch above all later ones.
        Found(
            160, "torn",
            "owners,crash-mid-batch,outage,one-way-partition,slow-silo,clock-skew,error-after-write,torn-write",
            "faults=237386",
            "delay@Acknowledge%100,one-way-partition@log.Outcome%20,partition@Outcome#3,outage@Vote#2,"
            + "error-after-write@log.Forget%50,loss@Sealed%20,rival-owner@Query#3,rival-owner@AgentOutcome%20,"
            + "delay@Acknowledge%20,silo-crash@VoteQuery%20,silo-crash@log.Commit%6,rival-owner@AgentOutcome%6,"
            + "outage@log.Ceiling%2,error-after-write@log.Prepare#3,clock-jump@log.Forget%20,"
            + "partition@log.Commit#2,loss@Query#1") with { Storage = StorageKind.Rows },
        // Q3: the agent counted on what a deposed owner had said, and
        // the specification refused that the owner let it give way.
        Found(
            1795906989, "hanging",
            "owners,silo-crash,delay,slow-storage",
            "network=607488,storage=897381,faults=664707",
            "delay@Vote%5,late-write@log.Fence#4x2,delay@PrepareReply%20,rival-owner@log.Fence#1,rival-owner@log.Ceiling%20") with
        {
            FaultBudget = 65, Workload = WorkloadKind.Mixed, Silos = 4, Partitions = 2, Keys = 4, Transactions = 15,
        },
        // V6: the specification asked along each path of dependencies
        // whether one was decided, and did not come to an end.
        Found(
            1795905265, "reserving",
            "owners,silo-crash,one-way-partition,clock-skew,clock-jump,error-after-write,read-error",
            "load=133404,network=37983,storage=699747,faults=716206,policies=815681",
            "delay@VoteQuery%50,rival-owner@DependencyQuery%6,error-before-write@log.OldestLive#5x5,silo-crash@log.Fence%2,"
            + "error-after-write@log.Resolved#5x2,error-after-write@log.Staged%50,loss@AgentOutcome%100,loss@GiveWay%50,"
            + "clock-jump@log.Fence%20,delay@AbortRequest%50,delay@DependencyAnswer%5,delay@Prepare#3x5,"
            + "error-after-write@log.Fence#1x2,delay@Vote%100,one-way-partition@DependencyAnswer%2,"
            + "rival-owner@DependencyAnswer#1,delay@Outcome#10x2,outage@PrepareReply#62"),
        // L1: the specification took what a row said when its owner told that it had loaded it. A rival had stored it
        // since, and the owner's first store would have failed.
        Found(1795887198, "moving", "owners,silo-crash,loss,delay,slow-storage", "", "") with
        {
            FaultBudget = 1, Workload = WorkloadKind.Mixed, Storage = StorageKind.Rows,
            Silos = 3, Partitions = 2, Keys = 4, Transactions = 10,
        },
    ];

    public static TheoryData<int> Numbers => [.. Enumerable.Range(0, s_found.Length)];

    [Theory]
    [MemberData(nameof(Numbers))]
    public void What_a_hunt_has_found_is_mended(int number) =>
        Assert.True(Simulator.Run(s_found[number]).Transactions > 0);

    private static RunCase Found(ulong seed, string shape, string faults, string streams, string aims) => new()
    {
        Seed = seed,
        Shape = shape,
        Faults = FaultNames.Parse(faults),
        Streams = RunStreams.Parse(streams),
        Aims = [.. aims.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(Aim.Parse)],
    };
}
