namespace Polyjuice.Publishing;

/// <summary>Somebody else has published in the meantime. Nothing was published by this call.</summary>
internal sealed class PolicyConflictException : InvalidOperationException
{
    /// <summary>Says what is there.</summary>
    /// <param name="message">For people.</param>
    /// <param name="last">See <see cref="Last"/>.</param>
    public PolicyConflictException(string message, int last) : base(message) => Last = last;

    /// <summary>The last entry's number now.</summary>
    public int Last { get; }
}

/// <summary>Entries are missing, damaged, or do not continue each other. Nothing was published by this call.</summary>
internal sealed class PolicyHistoryBrokenException : IOException
{
    /// <summary>Says where.</summary>
    /// <param name="location">See <see cref="IPolicyEntries.Location"/>.</param>
    /// <param name="item">The first entry that is wrong.</param>
    public PolicyHistoryBrokenException(string location, PolicyHistoryItem item)
        : base(
            $"Entry {item.Number} of {location} {item.Problem}. Nothing from there on counts, and nothing can be "
            + "published behind it: restore the entry from a backup (or, if it is the last one, move it away), or "
            + "publish to another place.") =>
            Item = item;

    /// <summary>The first entry that is wrong.</summary>
    public PolicyHistoryItem Item { get; }
}
