using Orleans;

namespace Tpcc.Schema;

/// <summary>A row of WAREHOUSE.</summary>
[GenerateSerializer]
public sealed class WarehouseRow
{
    /// <summary>W_NAME, W_STREET_1 … W_ZIP, W_TAX.</summary>
    [Id(0)]
    public PlaceInfo Info { get; set; } = new();

    /// <summary>W_YTD: all payments made here, in cents.</summary>
    [Id(1)]
    public long YtdCents { get; set; }
}
