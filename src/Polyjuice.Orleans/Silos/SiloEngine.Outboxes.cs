using Polyjuice.Execution;

namespace Polyjuice.Orleans.Silos;

// What lanes of the outbox may have to send.
internal sealed partial class SiloEngine
{
    /// <summary>
    /// Tells of the states of lanes that this silo serves, with the timestamp of the last version of each. Any thread.
    /// Where no message was ever enqueued, and none was found in a log, that is one look at a number.
    /// </summary>
    /// <param name="tell">Called for each, on the engine's turn.</param>
    public void ReadLanes(Action<ParticipantKey, long> tell)
    {
        if (_life.Running is not { HasWatched: true } engine) return;
        using (Turn.Enter())
        {
            foreach (var (state, writtenAt) in engine.Watched()) tell(state, writtenAt);
        }
    }
}
