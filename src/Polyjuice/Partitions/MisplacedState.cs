using Polyjuice.Contracts;
using Polyjuice.Storage;

namespace Polyjuice.Partitions;

/// <summary>
/// A state that a log holds in another partition than its grain
/// belongs to: whoever calls the grain would meet an empty one.
/// </summary>
/// <param name="Key">Which state of which grain.</param>
/// <param name="Partition">Where it is.</param>
/// <param name="Belongs">Where it would be looked for.</param>
internal sealed record MisplacedState(ParticipantKey Key, int Partition, int Belongs)
{
    /// <summary>The first one in what a partition's log says.</summary>
    public static MisplacedState? FindIn(LogImage image, int partition, int partitions, GrainGroups groups)
    {
        var prepared = image.Prepares.SelectMany(static prepare => prepare.Writes.Select(static write => write.Key));
        foreach (var key in image.States.Keys.Concat(prepared))
        {
            if (groups.BelongsElsewhere(key.Grain, partition, partitions) is { } right)
                return new(key, partition, right);
        }

        return null;
    }

    /// <summary>Refuses what a partition's log says, if it holds one.</summary>
    /// <exception cref="LogUnusableException">It does, as far as this host knows its grains.</exception>
    public static void Refuse(LogImage image, int partition, int partitions, GrainGroups groups)
    {
        if (FindIn(image, partition, partitions, groups) is not { } misplaced) return;
        throw new LogUnusableException(
            $"{misplaced}. Nothing was changed. Declare the group of class {misplaced.Key.GrainClass} as it "
            + "was when the log was written (what a function answers for a grain is part of that).");
    }

    /// <inheritdoc/>
    public override string ToString() =>
        $"State '{Key.State}' of grain {Key.Grain} is in log partition {Partition}, and by the group that "
        + $"its class {Key.GrainClass} declares it belongs to partition {Belongs}";
}
