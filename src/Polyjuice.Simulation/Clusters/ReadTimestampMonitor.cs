using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Versions;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// R4: the read timestamp of a committed version never falls,
/// whatever was ordered after it and left again. One per node.
/// </summary>
internal sealed class ReadTimestampMonitor
{
    private readonly Dictionary<Participant, (VersionId Version, long Rts)> _seen = [];

    /// <summary>The node has flushed.</summary>
    public void Flushed(SimulatedNode node)
    {
        foreach (var owner in node.Engine.Partitions.All)
        {
            if (!owner.IsActive) continue;
            foreach (var participant in owner.Participants) Look(node, participant);
        }
    }

    private void Look(SimulatedNode node, Participant participant)
    {
        var version = participant.Last;
        while (!version.IsCommitted && version.Previous is { } previous) version = previous;
        if (_seen.TryGetValue(participant, out var seen) && seen.Version == version.Id && version.Rts < seen.Rts)
            throw new SimulationFailedException(
                "read-timestamp",
                $"{node.Id}: the read timestamp of version {version.Id} of {participant.Key.Grain} was {seen.Rts}, and "
                + $"is {version.Rts}");
        _seen[participant] = (version.Id, version.Rts);
    }
}
