using System.Collections.Immutable;
using Orleans;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Tpcc.Grains;
using Tpcc.Grains.Messages;
using Tpcc.Loading;
using Tpcc.Schema;

namespace Tpcc.Workload;

/// <summary>
/// One of the standard's terminals: draws transactions and their
/// input (clauses 2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1), and makes them.
/// </summary>
/// <param name="cluster">Where to.</param>
/// <param name="size">What there is to choose from.</param>
/// <param name="choices">How to choose.</param>
/// <param name="phaseOf">What terminals do at present.</param>
/// <param name="random">The terminal's own choices.</param>
/// <param name="home">
/// The terminal's place, from 0: terminals are dealt to warehouses in turn, and then to districts.
/// <see langword="null"/> for one that stands for all.
/// </param>
/// <param name="hasThinkTimes">Whether its user keys in and thinks.</param>
internal sealed class Terminal(
    WorkloadCluster cluster, DatabaseSize size, RowChoices choices, Func<TpccPhase> phaseOf, BenchmarkRandom random,
    int? home, bool hasThinkTimes)
    : IWorkloadClient
{
    private const int RemoteLinePercent = 1;
    private const int UnusedItemPercent = 1;
    private const int RemotePaymentPercent = 15;
    private const int ByNamePercent = 60;
    private int? _last;

    private IGrainFactory Grains => cluster.Grains;

    private DateTime Now => cluster.Time.GetUtcNow().UtcDateTime;

    public Task<OperationOutcome> RunOneAsync() => Choose().RunAsync();

    public WorkloadOperation Choose()
    {
        var phase = phaseOf();
        var type = phase.Mix.Choose(random);
        var pause = hasThinkTimes ? Mix.Pause(random, _last, type) : TimeSpan.Zero;
        _last = type;
        var warehouse = home is { } place ? 1 + (place % size.Warehouses) : random.Between(1, size.Warehouses);
        return new WorkloadOperation(type, () => EndAsync(Start(type, warehouse, phase)), pause);
    }

    private Task Start(int type, int warehouse, TpccPhase phase) => type switch
    {
        Mix.NewOrder => District(warehouse, AnyDistrict()).NewOrder(NewOrder(warehouse, phase)),
        Mix.Payment => Grains.GetGrain<IWarehouseGrain>(warehouse).Payment(Payment(warehouse, phase)),
        Mix.Delivery =>
            Grains.GetGrain<IWarehouseGrain>(warehouse)
                .Delivery(new DeliveryRequest { CarrierId = random.Between(1, 10), DeliveredAt = Now }),
        Mix.OrderStatus => OrderStatus(warehouse, phase),
        _ => District(
            warehouse, home is { } place ? 1 + (place / size.Warehouses % DatabaseSize.Districts) : AnyDistrict())
                .StockLevel(random.Between(10, 20)),
    };

    internal NewOrderRequest NewOrder(int warehouse, TpccPhase phase)
    {
        var lines = ImmutableArray.CreateBuilder<NewOrderLine>();
        // By the standard each line is drawn by itself; a phase says how many orders are.
        var isRemote = IsRemote(warehouse, phase);
        for (var left = random.Between(5, 15); left > 0; left--)
        {
            lines.Add(new NewOrderLine
            {
                ItemId = choices.Item(random, phase.Theta),
                SupplyWarehouse = (isRemote is { } remote
                    ? remote && lines.Count == 0
                    : random.Next(100) < RemoteLinePercent)
                    ? OtherThan(warehouse)
                    : warehouse,
                Quantity = random.Between(1, 10),
            });
        }

        // The user has mistyped the last line's item (clause 2.4.1.4).
        if (random.Next(100) < UnusedItemPercent)
            lines[^1] = new NewOrderLine
            {
                ItemId = size.Items + 1, SupplyWarehouse = lines[^1].SupplyWarehouse, Quantity = lines[^1].Quantity
            };
        return new NewOrderRequest
        {
            CustomerId = choices.Customer(random, phase.Theta), Lines = lines.ToImmutable(), EnteredAt = Now
        };
    }

    internal PaymentRequest Payment(int warehouse, TpccPhase phase)
    {
        var district = AnyDistrict();
        var isRemote = size.Warehouses > 1 && (IsRemote(warehouse, phase) ?? random.Next(100) < RemotePaymentPercent);
        var customer = isRemote
            ? Customer(OtherThan(warehouse), AnyDistrict(), phase)
            : Customer(warehouse, district, phase);
        return new PaymentRequest
        {
            District = district, Customer = customer, AmountCents = random.Between(1_00, 5_000_00), PaidAt = Now
        };
    }

    private Task<OrderStatusReceipt> OrderStatus(int warehouse, TpccPhase phase)
    {
        var district = AnyDistrict();
        return District(warehouse, district).OrderStatus(Customer(warehouse, district, phase));
    }

    private CustomerSelector Customer(int warehouse, int district, TpccPhase phase) => random.Next(100) < ByNamePercent
        ? new CustomerSelector
        {
            Warehouse = warehouse, District = district, Last = choices.LastName(random, phase.Theta)
        }
        : new CustomerSelector
        {
            Warehouse = warehouse, District = district, Id = choices.Customer(random, phase.Theta)
        };

    private IDistrictGrain District(int warehouse, int district) =>
        Grains.GetGrain<IDistrictGrain>(Keys.District(warehouse, district));

    private int AnyDistrict() => random.Between(1, DatabaseSize.Districts);

    // Null where the standard decides.
    private bool? IsRemote(int warehouse, TpccPhase phase) =>
        phase.RemoteWarehouses is { } remote ? warehouse <= remote && random.Next(100) < phase.RemotePercent : null;

    // The only warehouse is its own supplier.
    private int OtherThan(int warehouse)
    {
        if (size.Warehouses == 1) return warehouse;
        var other = random.Between(1, size.Warehouses - 1);
        return other < warehouse ? other : other + 1;
    }

    private static Task<OperationOutcome> EndAsync(Task operation) => Outcomes.OfAsync<InvalidItemException>(operation);
}
