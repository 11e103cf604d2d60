using Orleans;

namespace Tpcc.Schema;

/// <summary>A row of DISTRICT.</summary>
[GenerateSerializer]
public sealed class DistrictRow
{
    /// <summary>D_NAME, D_STREET_1 … D_ZIP, D_TAX.</summary>
    [Id(0)]
    public PlaceInfo Info { get; set; } = new();

    /// <summary>D_YTD: all payments made here, in cents.</summary>
    [Id(1)]
    public long YtdCents { get; set; }

    /// <summary>D_NEXT_O_ID.</summary>
    [Id(2)]
    public int NextOrderId { get; set; } = 1;

    /// <summary>
    /// How many payments were made here: the number of the next row
    /// of the district's history, which has no key in the standard.
    /// </summary>
    [Id(3)]
    public int Payments { get; set; }
}
