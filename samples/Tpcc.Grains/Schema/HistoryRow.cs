using System.Collections.Immutable;
using Orleans;

namespace Tpcc.Schema;

/// <summary>A row of HISTORY, whose district (H_W_ID, H_D_ID) is its page's.</summary>
[GenerateSerializer]
[Immutable]
public sealed class HistoryRow
{
    /// <summary>H_C_W_ID, H_C_D_ID, H_C_ID: the customer's key.</summary>
    [Id(0)]
    public long Customer { get; init; }

    /// <summary>H_DATE.</summary>
    [Id(1)]
    public DateTime PaidAt { get; init; }

    /// <summary>H_AMOUNT, in cents.</summary>
    [Id(2)]
    public long AmountCents { get; init; }

    /// <summary>H_DATA: the names of warehouse and district.</summary>
    [Id(3)]
    public string Data { get; init; } = "";
}

/// <summary>Rows of HISTORY that a district got one after the other.</summary>
[GenerateSerializer]
public sealed class HistoryPage
{
    /// <summary>The rows, oldest first.</summary>
    [Id(0)]
    public ImmutableArray<HistoryRow> Payments { get; set; } = [];
}
