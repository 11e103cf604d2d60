using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Training.Conflicts;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Conflicts;

/// <summary>
/// A trace whose conflicts can be counted by hand. Of 100 transactions, orders and payments in turn, 70 are searched
/// on: 35 orders and 35 payments. What only the others do must not be in a graph.
/// </summary>
internal static class ShopTrace
{
    public const string Order = "IShop.Order";
    public const string Pay = "IShop.Pay";

    /// <summary>All orders and payments update it.</summary>
    public static readonly SitePlace OrderDistrict = new(0, 0);

    /// <summary>There are five; each order updates one, in turn.</summary>
    public static readonly SitePlace OrderStock = new(0, 1);

    /// <summary>All payments read it, and nobody updates it.</summary>
    public static readonly SitePlace PayRate = new(1, 0);

    /// <summary>Each payment updates its own; the 30 at the end update the same one.</summary>
    public static readonly SitePlace PayCustomer = new(1, 1);

    /// <summary>The district that orders update.</summary>
    public static readonly SitePlace PayDistrict = new(1, 2);

    private const int Transactions = 100;
    private const int Trained = 70;
    private const int Stocks = 5;

    public static ReplayWorkload Workload()
    {
        var builder = new AccessTraceBuilder(0);
        int[] silo = [builder.AddSilo(1)];
        var district = SyntheticTraces.Participants(builder, silo, "District", 1)[0];
        var rate = SyntheticTraces.Participants(builder, silo, "Rate", 1)[0];
        var stocks = SyntheticTraces.Participants(builder, silo, "Stock", Stocks);
        var customers = SyntheticTraces.Participants(builder, silo, "Customer", Transactions);
        for (var i = 0; i < Transactions; i++)
        {
            var isOrder = i % 2 == 0;
            SyntheticTraces.Add(builder, isOrder ? Order : Pay, i * 100, silo[0], AbortReason.None, isOrder
                ? [Access(Order, "District", district), Access(Order, "Stock", stocks[i / 2 % Stocks])]
                :
                [
                    Access(Pay, "Rate", rate, AccessKind.Read),
                    Access(Pay, "Customer", customers[Math.Min(i, Trained)]),
                    Access(Pay, "District", district),
                ]);
        }

        return ReplayWorkload.Of(builder.Build(), 1);

        TraceAccess Access(string type, string grain, int participant, AccessKind kind = AccessKind.Update) =>
            SyntheticTraces.Access(
                builder, new SiteKey(type, $"{type}>I{grain}.Do", $"{grain}.record", kind), participant, 0);
    }
}
