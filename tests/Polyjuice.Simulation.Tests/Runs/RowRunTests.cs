using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Tests.Runs;

/// <summary>
/// The same runs with states in rows of their own: all of them, or some beside others in logs. Stores fail before and
/// after they are done, half-way and late; rows change hands while their owner lives, and in half of the runs nobody
/// serves one until somebody wants something of it.
/// </summary>
public sealed class RowRunTests
{
    [Fact]
    public void Runs_in_rows_without_faults_keep_the_invariants() =>
        Check(StorageKind.Rows, FaultKinds.None, 20_001, 60);

    [Fact]
    public void Runs_in_rows_with_every_fault_keep_the_invariants() =>
        Check(StorageKind.Rows, FaultKinds.All, 21_001, 150);

    [Fact]
    public void Runs_in_rows_and_logs_without_faults_keep_the_invariants() =>
        Check(StorageKind.Mixed, FaultKinds.None, 22_001, 60);

    [Fact]
    public void Runs_in_rows_and_logs_with_every_fault_keep_the_invariants() =>
        Check(StorageKind.Mixed, FaultKinds.All, 23_001, 150);

    [Fact]
    public void Runs_in_rows_whose_stores_fail_keep_the_invariants() =>
        Check(StorageKind.Rows, FaultKinds.AllStorage | FaultKinds.AllCrash | FaultKinds.RivalOwner, 24_001, 150);

    [Fact]
    public void Who_reserves_states_in_rows_goes_on_with_all_of_them() =>
        Check(StorageKind.Rows, FaultKinds.None, 3_000_001, 60, Shapes.Reserving);

    [Fact]
    public void Who_reserves_states_in_rows_and_logs_goes_on_with_all_of_them() =>
        Check(StorageKind.Mixed, FaultKinds.None, 3_000_181, 60, Shapes.Reserving);

    [Fact]
    public void Nobody_prepares_what_a_partition_has_served_in_two_epochs()
    {
        for (var seed = 1_001UL; seed < 1_101; seed++)
            Seeds.Run(seed, FaultKinds.All, storage: StorageKind.Rows, shape: Shapes.Moving);
    }

    [Fact]
    public void Who_is_given_up_leaves_rows_as_well_as_logs()
    {
        // A row kept it in its queue, and who came next there waited until the deadline.
        for (var seed = 50_521UL; seed < 50_541; seed++)
            Seeds.Run(seed, FaultKinds.None, storage: StorageKind.Mixed, shape: Shapes.Any);
    }

    [Fact]
    public void Nothing_is_reserved_at_rest_where_agents_own_nothing()
    {
        for (var seed = 3_000_021UL; seed < 3_000_081; seed++)
            Seeds.Run(seed, FaultKinds.All, storage: StorageKind.Mixed, shape: Shapes.Apart);
    }

    [Fact]
    public void The_same_seed_gives_the_same_run()
    {
        for (var seed = 25_001UL; seed < 25_011; seed++)
        {
            Assert.Equal(
                Seeds.Run(seed, FaultKinds.All, storage: StorageKind.Rows).Digest,
                Seeds.Run(seed, FaultKinds.All, storage: StorageKind.Rows).Digest);
            Assert.NotEqual(
                Seeds.Run(seed, FaultKinds.All, storage: StorageKind.Rows).Digest,
                Seeds.Run(seed, FaultKinds.All).Digest);
        }
    }

    private static void Check(StorageKind kind, FaultKinds faults, ulong first, int count, string shape = Shapes.Small)
    {
        var committed = 0;
        var torn = 0L;
        for (var seed = first; seed < first + (ulong)count; seed++)
        {
            var result = Seeds.Run(seed, faults, storage: kind, shape: shape);
            committed += result.Records.Count(r => r.Outcome == Outcome.Committed);
            torn += result.Faults[FaultKinds.TornWrite];
        }

        Assert.True(
            committed > count, $"only {committed} transactions committed in {count} runs: the load tests nothing");
        if ((faults & FaultKinds.AllStorage) != 0)
            Assert.True(torn > count / 50, $"only {torn} stores failed half-way in {count} runs");
    }
}
