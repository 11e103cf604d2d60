using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>
/// The states of lanes that a silo watches: those that the engine has in memory, because something was written to them
/// here, or was found in the log of a partition that was taken over. For one thread.
/// </summary>
/// <param name="grains">Makes references to lanes.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">For what fails.</param>
internal sealed class LaneTable(IGrainFactory grains, TimeProvider time, ILogger logger)
{
    private readonly Dictionary<ParticipantKey, WatchedState> _states = [];
    private long _looks;

    /// <summary>How many there are.</summary>
    public int Count => _states.Count;

    /// <summary>Looks once.</summary>
    /// <param name="find">Finds the states that the silo serves.</param>
    /// <returns>What they have: messages to be sent, and parked ones.</returns>
    public (LaneReport Pending, LaneReport Parked) Look(Action<Action<ParticipantKey, long>> find)
    {
        _looks++;
        find(Found);
        var (pending, parked) = (LaneReport.Empty, LaneReport.Empty);
        foreach (var (key, state) in _states)
        {
            if (state.FoundAt != _looks)
            {
                // Whoever serves it next begins anew, and so does this silo when it serves it again.
                _states.Remove(key);
                continue;
            }

            state.Look();
            if (key.State == OutboxLane.Pending) pending += state.Report;
            else parked += state.Report;
        }

        return (pending, parked);
    }

    // On the engine's turn.
    private void Found(ParticipantKey key, long writtenAt)
    {
        if (writtenAt == 0) return;
        if (!_states.TryGetValue(key, out var state)) _states.Add(key, state = Watch(key));
        state.Found(_looks, writtenAt);
    }

    private WatchedState Watch(ParticipantKey key)
    {
        var lane = GrainId.Parse(key.Grain).Key.ToString()!;
        var grain = grains.GetGrain<IOutboxLane>(lane);
        return key.State == OutboxLane.Pending
            ? new(lane, grain.Wake, isReadWhileAny: true, time, logger)
            : new(lane, async () => LaneReport.Of(await grain.ReadParked()), isReadWhileAny: false, time, logger);
    }
}
