using Orleans;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>Messages of a lane, in their order.</summary>
[GenerateSerializer, Alias("Polyjuice.OutboxEntries")]
internal sealed class OutboxEntries
{
    /// <summary>The number of the latest one.</summary>
    [Id(0)]
    public long Last { get; set; }

    /// <summary>Those that are there.</summary>
    [Id(1)]
    public List<OutboxEntry> Entries { get; set; } = [];

    /// <summary>Whether one more would be too much. One alone never is.</summary>
    /// <param name="entry">It.</param>
    /// <param name="bytesMax">Of all.</param>
    public bool IsFullFor(OutboxEntry entry, int bytesMax)
    {
        if (Entries.Count == 0) return false;
        long bytes = entry.Bytes;
        foreach (var known in Entries) bytes += known.Bytes;
        return bytes > bytesMax;
    }

    /// <summary>Takes one out.</summary>
    /// <param name="number">Its number.</param>
    /// <returns>It, if it was there.</returns>
    public OutboxEntry? Take(long number)
    {
        if (Entries.FindIndex(entry => entry.Number == number) is not (>= 0 and var at)) return null;
        var entry = Entries[at];
        Entries.RemoveAt(at);
        return entry;
    }
}
