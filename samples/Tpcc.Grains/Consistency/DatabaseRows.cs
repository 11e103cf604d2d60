using Tpcc.Schema;

namespace Tpcc.Consistency;

/// <summary>The rows that the consistency conditions are about, as they were read.</summary>
public sealed class DatabaseRows
{
    /// <summary>How many orders of a district had been delivered when it was loaded.</summary>
    public required int DeliveredAtLoad { get; init; }

    /// <summary>By number.</summary>
    public Dictionary<int, WarehouseRow> Warehouses { get; } = [];

    /// <summary>By key.</summary>
    public Dictionary<long, DistrictRows> Districts { get; } = [];
}

/// <summary>The rows of one district.</summary>
/// <param name="Row">DISTRICT.</param>
public sealed record DistrictRows(DistrictRow Row)
{
    /// <summary>CUSTOMER, by key.</summary>
    public Dictionary<long, CustomerRow> Customers { get; } = [];

    /// <summary>ORDER with ORDER-LINE and NEW-ORDER, by O_ID.</summary>
    public SortedDictionary<int, OrderRow> Orders { get; } = [];

    /// <summary>HISTORY of payments that were made here.</summary>
    public List<HistoryRow> Payments { get; } = [];
}
