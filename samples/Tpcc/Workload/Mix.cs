using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Tpcc.Grains;

namespace Tpcc.Workload;

/// <summary>
/// The five transactions, and how long the standard's users take for them (clauses 5.2.5.4 and 5.2.5.7).
/// </summary>
internal static class Mix
{
    public const int NewOrder = 0;
    public const int Payment = 1;
    public const int Delivery = 2;
    public const int OrderStatus = 3;
    public const int StockLevel = 4;

    // The standard's mean think time is cut off at ten times the mean.
    private const double ThinkMaxMeans = 10;

    private static readonly (OperationType Type, double KeyingSeconds, double MeanThinkSeconds)[] _types =
    [
        (new("NewOrder", $"{nameof(IDistrictGrain)}.{nameof(IDistrictGrain.NewOrder)}", "tpmC"), 18, 12),
        (new("Payment", $"{nameof(IWarehouseGrain)}.{nameof(IWarehouseGrain.Payment)}"), 3, 12),
        (new("Delivery", $"{nameof(IWarehouseGrain)}.{nameof(IWarehouseGrain.Delivery)}"), 2, 5),
        (new("OrderStatus", $"{nameof(IDistrictGrain)}.{nameof(IDistrictGrain.OrderStatus)}"), 2, 10),
        (new("StockLevel", $"{nameof(IDistrictGrain)}.{nameof(IDistrictGrain.StockLevel)}"), 2, 5),
    ];

    public static IReadOnlyList<OperationType> Types { get; } = [.. _types.Select(t => t.Type)];

    /// <summary>What a user thinks about the last screen and then keys in, before the next transaction.</summary>
    public static TimeSpan Pause(BenchmarkRandom random, int? last, int next)
    {
        var thinking = last is { } type
            ? Math.Min(
                random.NextExponential(_types[type].MeanThinkSeconds), ThinkMaxMeans * _types[type].MeanThinkSeconds)
            : 0;
        return TimeSpan.FromSeconds(thinking + _types[next].KeyingSeconds);
    }
}
