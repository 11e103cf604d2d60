using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Tests.Runs;

/// <summary>
/// The same runs over the segmented log of production on simulated blobs and disks, with checkpoints and trimming all
/// the time. What each checkpoint says is compared with the whole log, which the harness keeps.
/// </summary>
public sealed class SegmentedLogRunTests
{
    [Fact]
    public void Runs_on_blobs_without_faults_keep_the_invariants() =>
        Check(StorageKind.Blobs, FaultKinds.None, 10_001, 100);

    [Fact]
    public void Runs_on_blobs_with_every_fault_keep_the_invariants() =>
        Check(StorageKind.Blobs, FaultKinds.All, 11_001, 300);

    [Fact]
    public void Runs_on_a_disk_without_faults_keep_the_invariants() =>
        Check(StorageKind.Disk, FaultKinds.None, 12_001, 100);

    [Fact]
    public void Runs_on_a_disk_that_loses_its_power_keep_the_invariants() =>
        Check(StorageKind.Disk, FaultKinds.AllStorage | FaultKinds.AllCrash, 13_001, 200);

    [Fact]
    public void Runs_on_a_disk_with_every_fault_keep_the_invariants() =>
        Check(StorageKind.Disk, FaultKinds.All, 14_001, 200);

    private static void Check(StorageKind kind, FaultKinds faults, ulong first, int count)
    {
        var storages = new List<DeviceStorage>();
        var committed = 0;
        for (var seed = first; seed < first + (ulong)count; seed++)
            committed += Seeds.Run(seed, faults, storage: kind, made: storages.Add).Records
                .Count(r => r.Outcome == Outcome.Committed);
        Assert.True(
            committed > count, $"only {committed} transactions committed in {count} runs: the load tests nothing");
        Assert.True(
            storages.Sum(storage => storage.Checkpoints) > 2 * count,
            $"only {storages.Sum(storage => storage.Checkpoints)} checkpoints were made in {count} runs");
    }
}
