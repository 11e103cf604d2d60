using Orleans;

namespace Tpcc.Schema;

/// <summary>A row of ORDER-LINE.</summary>
[GenerateSerializer]
public sealed class OrderLineRow
{
    /// <summary>OL_I_ID.</summary>
    [Id(0)]
    public int ItemId { get; set; }

    /// <summary>OL_SUPPLY_W_ID.</summary>
    [Id(1)]
    public int SupplyWarehouse { get; set; }

    /// <summary>OL_QUANTITY.</summary>
    [Id(2)]
    public int Quantity { get; set; }

    /// <summary>OL_AMOUNT, in cents.</summary>
    [Id(3)]
    public long AmountCents { get; set; }

    /// <summary>OL_DIST_INFO, 24 characters.</summary>
    [Id(4)]
    public string DistrictText { get; set; } = "";

    /// <summary>OL_DELIVERY_D; <see langword="null"/> until it is delivered.</summary>
    [Id(5)]
    public DateTime? DeliveredAt { get; set; }
}
