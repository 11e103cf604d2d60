using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>Which lanes of the outbox may have something to send, as this silo's engines know. Thread-safe.</summary>
internal sealed class WatchedLanes(IReadOnlyList<SiloEngine> engines)
{
    /// <summary>
    /// Tells of the states of lanes that this silo serves, with the timestamp of the last version of each.
    /// Where no message was ever enqueued, and none was found in a log, that is one look at a number.
    /// </summary>
    /// <param name="tell">Called for each, on its engine's turn.</param>
    public void Read(Action<ParticipantKey, long> tell)
    {
        foreach (var silo in engines)
        {
            if (silo.Life.Running is not { HasWatched: true } engine) continue;
            using (silo.Turn.Enter())
            {
                foreach (var (state, writtenAt) in engine.Watched()) tell(state, writtenAt);
            }
        }
    }
}
