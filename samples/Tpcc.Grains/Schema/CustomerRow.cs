using Orleans;

namespace Tpcc.Schema;

/// <summary>A row of CUSTOMER.</summary>
[GenerateSerializer]
public sealed class CustomerRow
{
    /// <summary>The most characters that <see cref="Data"/> has.</summary>
    public const int DataMax = 500;

    /// <summary>C_FIRST … C_DISCOUNT.</summary>
    [Id(0)]
    public CustomerInfo Info { get; set; } = new();

    /// <summary>C_BALANCE, in cents: what was delivered less what was paid.</summary>
    [Id(1)]
    public long BalanceCents { get; set; }

    /// <summary>C_YTD_PAYMENT, in cents.</summary>
    [Id(2)]
    public long YtdPaymentCents { get; set; }

    /// <summary>C_PAYMENT_CNT.</summary>
    [Id(3)]
    public int PaymentCount { get; set; }

    /// <summary>C_DELIVERY_CNT.</summary>
    [Id(4)]
    public int DeliveryCount { get; set; }

    /// <summary>C_DATA.</summary>
    [Id(5)]
    public string Data { get; set; } = "";
}
