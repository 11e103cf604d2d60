using Orleans;

namespace Polyjuice.Orleans;

/// <summary>What one transactional state's row holds besides its committed state.</summary>
/// <param name="State">The state's name within its grain.</param>
/// <param name="PreparedStates">States that are prepared and not decided.</param>
/// <param name="OpenRecords">Commit records that name somebody who must still be told.</param>
[GenerateSerializer, Immutable, Alias("Polyjuice.RowReport")]
public sealed record RowReport(
    [property: Id(0)] string State, [property: Id(1)] int PreparedStates, [property: Id(2)] int OpenRecords)
{
    /// <summary>Whether Orleans' own engine can take the row over.</summary>
    public bool IsDrained => PreparedStates == 0 && OpenRecords == 0;
}
