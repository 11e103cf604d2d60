using System.Collections.Immutable;

namespace Polyjuice.Tests.Storages;

/// <summary>What <see cref="StoredStateStorage{T}"/> keeps of one state.</summary>
public sealed record StoredState(
    long Committed, BinaryData Metadata, ImmutableSortedDictionary<long, BinaryData> States)
{
    public static StoredState Empty { get; } = new(
        0, BinaryData.Empty, ImmutableSortedDictionary<long, BinaryData>.Empty);

    /// <summary>How many prepared states a row holds, whichever kind of storage has written it.</summary>
    public static int PreparedIn(object? row) => row switch
    {
        StoredState state => state.States.Keys.Count(number => number > state.Committed),
        BinaryData json => json.ToString().Split("\"SequenceId\":").Length - 1,
        _ => 0,
    };
}
