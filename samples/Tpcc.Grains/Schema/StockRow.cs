using Orleans;

namespace Tpcc.Schema;

/// <summary>A row of STOCK.</summary>
[GenerateSerializer]
public sealed class StockRow
{
    /// <summary>S_DIST_01 … S_DIST_10, S_DATA; <see langword="null"/> if there is no such item.</summary>
    [Id(0)]
    public StockInfo? Info { get; set; }

    /// <summary>S_QUANTITY.</summary>
    [Id(1)]
    public int Quantity { get; set; }

    /// <summary>S_YTD: pieces that were ordered.</summary>
    [Id(2)]
    public long OrderedPieces { get; set; }

    /// <summary>S_ORDER_CNT.</summary>
    [Id(3)]
    public int OrderCount { get; set; }

    /// <summary>S_REMOTE_CNT: of those, by other warehouses.</summary>
    [Id(4)]
    public int RemoteCount { get; set; }
}
