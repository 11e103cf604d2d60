using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// L1: what is behind a fence in a log is of the owner whose fence it is. A history shows the breach only if somebody
/// was told meanwhile, by the successor, what a batch of the deposed owner says otherwise.
/// </summary>
internal sealed class FenceMonitor
{
    private readonly Dictionary<int, BatchId> _fences = [];

    /// <summary>A batch is in its log, in the order of positions.</summary>
    public void Written(int partition, BatchId id, ReadOnlySpan<byte> batch)
    {
        if ((LogTap.KindsOf(batch) & (1UL << (int)LogRecordKind.Fence)) != 0)
        {
            _fences[partition] = id;
            return;
        }

        // A node's numbers only grow, so one below its own fence's is of an earlier time as owner.
        if (!_fences.TryGetValue(partition, out var fence) || (id.Node == fence.Node && id.Sequence > fence.Sequence))
            return;
        throw new SimulationFailedException(
            "fence", $"partition {partition}: batch {id} is behind the fence {fence} of another owner");
    }
}
