using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Storage;

/// <summary>Random shapes of storage.</summary>
internal static class StorageShapes
{
    /// <summary>The same run on another storage, where checkpoints are made often.</summary>
    public static RunShape On(this RunShape shape, StorageKind kind, ulong seed, Action<DeviceStorage>? made = null)
    {
        if (kind == StorageKind.Plain) return shape;
        var random = new SimulationRandom(SimulationRandom.Mix(seed ^ 0x10C));
        var options = shape.Cluster.Options;
        if (kind is StorageKind.Rows or StorageKind.Mixed) return shape.InRows(kind, random);
        options.CheckpointBytes = random.Between(1, 500);

        // Batches of a few records, which queue; and now and then more than may wait.
        if (random.Chance(0.5)) options.BatchRecordsMax = (int)random.Between(1, 5);
        if (random.Chance(0.2)) options.LogBacklogBytesMax = random.Between(1_024, 4_096);
        return shape with
        {
            Cluster = shape.Cluster with
            {
                MakeStorage = (loop, random, faults) =>
                {
                    var storage = new DeviceStorage(
                        kind, shape.Cluster.Storage, shape.Cluster.Partitions, shape.Cluster.AppendsUnderWay, loop,
                        random, faults);
                    made?.Invoke(storage);
                    return storage;
                },
            },
        };
    }

    private static RunShape InRows(this RunShape shape, StorageKind kind, SimulationRandom random)
    {
        var options = shape.Cluster.Options;
        if (random.Chance(0.4)) options.BatchRecordsMax = (int)random.Between(1, 5);
        if (random.Chance(0.2)) options.RowMetadataBytesMax = (int)random.Between(1_024, 4_096);
        var share = kind == StorageKind.Rows ? 1 : 0.2 + (0.6 * random.NextDouble());
        bool[] isRow =
        [
            .. Enumerable.Range(0, Math.Max(shape.Cluster.Accounts, 1_024)).Select(_ => random.Chance(share))
        ];
        if (random.Chance(0.6)) options.RowLingerMicroseconds = random.Chance(0.3) ? 0 : random.Between(100, 50_000);
        return shape with
        {
            Cluster = shape.Cluster with
            {
                IsRow = account => isRow[account % isRow.Length], RowsSleep = random.Chance(0.5)
            }
        };
    }
}
