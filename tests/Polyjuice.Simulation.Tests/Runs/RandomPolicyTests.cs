using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Tests.Shared;
using Outcome = Polyjuice.Simulation.Grains.Outcome;

namespace Polyjuice.Simulation.Tests.Runs;

/// <summary>
/// I1 to I4: random tables, random call trees, random faults;
/// whatever happens, the history is serializable and all ends.
/// </summary>
public class RandomPolicyTests
{
    [Fact]
    public void Random_policies_without_faults_keep_the_invariants() => Check(FaultKinds.None, 1, 400);

    [Fact]
    public void Random_policies_on_a_bad_network_keep_the_invariants() => Check(FaultKinds.AllNetwork, 1_001, 300);

    [Fact]
    public void Random_policies_on_bad_storage_keep_the_invariants() => Check(FaultKinds.AllStorage, 2_001, 300);

    [Fact]
    public void Random_policies_with_crashes_keep_the_invariants() => Check(FaultKinds.AllCrash, 3_001, 300);

    [Fact]
    public void Random_policies_with_rival_owners_keep_the_invariants() => Check(FaultKinds.RivalOwner, 4_001, 300);

    [Fact]
    public void Random_policies_with_every_fault_keep_the_invariants() => Check(FaultKinds.All, 5_001, 500);

    [Fact]
    public void Transactions_with_a_final_step_keep_the_invariants() => CheckFinalSteps(StorageKind.Plain);

    [Fact]
    public void Transactions_with_a_final_step_on_rows_keep_the_invariants() => CheckFinalSteps(StorageKind.Mixed);

    [Fact]
    public void The_same_seed_gives_the_same_run()
    {
        for (var seed = 1UL; seed <= 20; seed++)
        {
            var one = Seeds.Run(seed, FaultKinds.All);
            var two = Seeds.Run(seed, FaultKinds.All);
            Assert.Equal(one.Digest, two.Digest);
            Assert.Equal(one.Events, two.Events);
            Assert.Equal(one.Records.Select(r => (r.Outcome, r.Ended)), two.Records.Select(r => (r.Outcome, r.Ended)));
        }

        Assert.NotEqual(Seeds.Run(1, FaultKinds.All).Digest, Seeds.Run(2, FaultKinds.All).Digest);
    }

    /// <summary>
    /// SIMULATION_SEEDS=17 or 1-5000, SIMULATION_FAULTS, SIMULATION_BREAKS,
    /// SIMULATION_STORAGE, SIMULATION_SHAPE: how a failure is looked at.
    /// </summary>
    [Fact]
    public void Named_by_the_environment()
    {
        var classes = FaultNames.Parse(Environment.GetEnvironmentVariable("SIMULATION_FAULTS") ?? "all");
        var breaks = Enum.Parse<ProtocolBreaks>(
            Environment.GetEnvironmentVariable("SIMULATION_BREAKS") ?? nameof(ProtocolBreaks.None));
        var storage = Enum.Parse<StorageKind>(
            Environment.GetEnvironmentVariable("SIMULATION_STORAGE") ?? nameof(StorageKind.Plain));
        var shape = Environment.GetEnvironmentVariable("SIMULATION_SHAPE") ?? Shapes.Small;
        Assert.All(Seeds.Named("1"), seed => Seeds.Run(seed, classes, breaks, storage: storage, shape: shape));
    }

    [Fact]
    public void Any_shape_that_a_generator_makes_keeps_the_invariants()
    {
        var shapes =
            from seed in Gen.Choose(1, int.MaxValue)
            from classes in Gen.Choose(0, (int)FaultKinds.All)
            select (Seed: (ulong)seed, Classes: (FaultKinds)classes);
        Prop.ForAll(shapes.ToArbitrary(), s => Seeds.Run(s.Seed, s.Classes).Records.Count > 0).Holds(cases: 200);
    }

    private static void Check(FaultKinds classes, ulong first, int count)
    {
        long committed = 0;
        for (var seed = first; seed < first + (ulong)count; seed++)
        {
            committed += Seeds.Run(seed, classes).Records.Count(r => r.Outcome == Outcome.Committed);
        }

        Assert.True(
            committed > count, $"only {committed} transactions committed in {count} runs: the load tests nothing");
    }

    private static void CheckFinalSteps(StorageKind storage)
    {
        long committed = 0;
        for (var seed = 6_001UL; seed < 6_301; seed++)
            committed += Seeds.Run(seed, FaultKinds.All, storage: storage, shape: Shapes.Deciding).Records
                .Count(r => r.Outcome == Outcome.Committed && r.Spec.HasFinalStep);
        Assert.True(
            committed > 300, $"only {committed} transactions with a final step committed: the load tests nothing");
    }
}
