using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>Which lanes of the outbox may have something to send, as this silo's engine knows. Thread-safe.</summary>
internal sealed class WatchedLanes(EngineTurn turn, EngineLife life)
{
    /// <summary>
    /// Tells of the states of lanes that this silo serves, with the timestamp of the last version of each.
    /// Where no message was ever enqueued, and none was found in a log, that is one look at a number.
    /// </summary>
    /// <param name="tell">Called for each, on the engine's turn.</param>
    public void Read(Action<ParticipantKey, long> tell)
    {
        if (life.Running is not { HasWatched: true } engine) return;
        using (turn.Enter())
        {
            foreach (var (state, writtenAt) in engine.Watched()) tell(state, writtenAt);
        }
    }
}
