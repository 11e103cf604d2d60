using Orleans;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>What a lane has.</summary>
/// <param name="Messages">How many messages.</param>
/// <param name="OldestAt">
/// When the transaction had begun that has enqueued the oldest of them, in microseconds since 1970; 0 if there is none.
/// </param>
[GenerateSerializer, Immutable, Alias("Polyjuice.LaneReport")]
internal sealed record LaneReport([property: Id(0)] int Messages, [property: Id(1)] long OldestAt)
{
    /// <summary>Of a lane that has nothing.</summary>
    public static LaneReport Empty { get; } = new(0, 0);

    /// <summary>Of two together.</summary>
    public static LaneReport operator +(LaneReport one, LaneReport other)
    {
        if (one.Messages == 0) return other;
        return other.Messages == 0
            ? one
            : new(one.Messages + other.Messages, Math.Min(one.OldestAt, other.OldestAt));
    }

    /// <summary>Of messages.</summary>
    /// <param name="entries">They.</param>
    public static LaneReport Of(IReadOnlyCollection<OutboxEntry> entries) =>
        entries.Count == 0 ? Empty : new(entries.Count, entries.Min(static entry => entry.BeganAt));
}
