using Polyjuice.Orleans.Outboxes;

namespace Polyjuice.Orleans.Silos;

// What lanes of the outbox may have to send.
internal sealed partial class SiloEngine
{
    /// <summary>Tells lanes of one log partition when they were last written to. Any thread.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="lanes">Its lanes.</param>
    public void ReadWriteTimes(int partition, IReadOnlyList<WatchedLane> lanes)
    {
        if (_engine is null || Volatile.Read(ref _isClosed)) return;
        using (Turn.Enter())
        {
            foreach (var lane in lanes) lane.WrittenAt = Engine.Owns(partition) ? Engine.WrittenAt(lane.State) : 0;
        }
    }
}
