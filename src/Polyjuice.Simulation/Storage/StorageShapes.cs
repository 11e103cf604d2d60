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
        shape.Cluster.Options.CheckpointBytes = new SimulationRandom(SimulationRandom.Mix(seed ^ 0x10C)).Between(1, 500);
        return shape with
        {
            Cluster = shape.Cluster with
            {
                MakeStorage = (loop, random, faults) =>
                {
                    var storage = new DeviceStorage(kind, shape.Cluster.Storage, shape.Cluster.Partitions, loop, random, faults);
                    made?.Invoke(storage);
                    return storage;
                },
            },
        };
    }
}
