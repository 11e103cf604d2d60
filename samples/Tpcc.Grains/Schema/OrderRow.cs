using Orleans;

namespace Tpcc.Schema;

/// <summary>
/// A row of ORDER with its rows of ORDER-LINE, and the one of NEW-ORDER
/// while there is one. They are written together, by the same transactions.
/// </summary>
[GenerateSerializer]
public sealed class OrderRow
{
    /// <summary>O_C_ID; 0 if there is no such order.</summary>
    [Id(0)]
    public int CustomerId { get; set; }

    /// <summary>O_ENTRY_D.</summary>
    [Id(1)]
    public DateTime EnteredAt { get; set; }

    /// <summary>O_CARRIER_ID; <see langword="null"/> until it is delivered.</summary>
    [Id(2)]
    public int? CarrierId { get; set; }

    /// <summary>O_OL_CNT.</summary>
    [Id(3)]
    public int LineCount { get; set; }

    /// <summary>O_ALL_LOCAL.</summary>
    [Id(4)]
    public bool IsAllLocal { get; set; }

    /// <summary>Whether there is a row of NEW-ORDER for it.</summary>
    [Id(5)]
    public bool IsNew { get; set; }

    /// <summary>The rows of ORDER-LINE.</summary>
    [Id(6)]
    public List<OrderLineRow> Lines { get; set; } = [];
}
