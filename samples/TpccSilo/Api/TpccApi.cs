using System.Collections.Immutable;
using Microsoft.AspNetCore.Http;
using Polyjuice.Orleans;
using SiloHosting;
using SiloHosting.Api;
using Tpcc.Grains;
using Tpcc.Grains.Messages;
using Tpcc.Loading;
using Tpcc.Schema;
using TpccSilo.Grains;

namespace TpccSilo.Api;

/// <summary>
/// TPC-C over HTTP: its five transactions, its database and the consistency conditions. Amounts are cents.
/// </summary>
internal sealed class TpccApi
{
    private const int WarehousesMax = 10;
    private const double ScaleMin = 0.001;
    private const double ScaleMax = 1;

    // Each takes some 9 KB of a silo's memory.
    private const int GrainsMax = 50_000;
    private const int LinesMin = 5;
    private const int LinesMax = 15;

    // The widest number that an item's key has room for. Which there are is the transaction's to say (clause 2.4.1.4).
    private const int ItemMax = 999_999;
    private const long AmountMax = 1_000_000_00;

    private readonly TimeProvider _time;

    // There is one database, and once it is loaded its size stays as it is.
    private volatile DatabaseSize? _loaded;

    private TpccApi(TimeProvider time) => _time = time;

    /// <summary>TPC-C, as a silo serves it.</summary>
    public static SiloApplication Application { get; } = new("tpcc", api => new TpccApi(TimeProvider.System).Map(api));

    private void Map(ApiRoutes api)
    {
        api.Refuse<InvalidItemException>();
        api.Refuse<OtherDatabaseException>();
        api.Refuse<UnknownNameException>(status: StatusCodes.Status404NotFound);
        api.Put("/database", LoadAsync);
        api.Get("/database", async call => Answer(await ReadAsync(call)));
        api.Get("/database/consistency", async call =>
        {
            await SizeAsync(call);
            return await Database(call).Check();
        });
        api.Post("/warehouses/{warehouse}/districts/{district}/orders", async call =>
        {
            var (district, size) = (await DistrictAsync(call), await SizeAsync(call));
            var order = await call.ReadAsync<OrderRequest>();
            return await District(call, district).NewOrder(new NewOrderRequest
            {
                CustomerId = ApiCall.Bounded(order.Customer, "customer", 1, size.Customers),
                Lines = Lines(order, Keys.WarehouseOf(district), size),
                EnteredAt = TimeOf(call, order.At),
            });
        });
        api.Get("/warehouses/{warehouse}/districts/{district}/order-status", async call =>
        {
            var (district, size) = (await DistrictAsync(call), await SizeAsync(call));
            var (id, last) = (call.QueryNumber("customer", 1, size.Customers), call.Query("last"));
            var customer = Customer(new CustomerRequest { Id = id, Last = last }, district, size);
            return await District(call, district).OrderStatus(customer);
        });
        api.Get("/warehouses/{warehouse}/districts/{district}/stock-level", async call =>
        {
            var district = await DistrictAsync(call);
            var threshold = call.QueryNumber("threshold", 1, 100)
                ?? throw new BadHttpRequestException("Say \"threshold\": 10 to 20, by the standard.");
            return new StockLevelAnswer(await District(call, district).StockLevel(threshold));
        });
        api.Post("/warehouses/{warehouse}/payments", async call =>
        {
            var (warehouse, size) = (await WarehouseAsync(call), await SizeAsync(call));
            var payment = await call.ReadAsync<PaymentBody>();
            var district = ApiCall.Bounded(payment.District, "district", 1, DatabaseSize.Districts);
            return await call.Grains.GetGrain<IWarehouseGrain>(warehouse).Payment(new PaymentRequest
            {
                District = district,
                Customer = Customer(payment.Customer ?? new(), Keys.District(warehouse, district), size),
                AmountCents = ApiCall.Bounded(payment.Amount, "amount", 1, AmountMax),
                PaidAt = TimeOf(call, payment.At),
            });
        });
        api.Post("/warehouses/{warehouse}/deliveries", async call =>
        {
            var warehouse = await WarehouseAsync(call);
            var delivery = await call.ReadAsync<DeliveryBody>();
            return await call.Grains.GetGrain<IWarehouseGrain>(warehouse).Delivery(new DeliveryRequest
            {
                CarrierId = ApiCall.Bounded(delivery.Carrier, "carrier", 1, 10),
                DeliveredAt = TimeOf(call, delivery.At),
            });
        });
    }

    // As many calls as it takes; each has a key, so that the runtime makes it again if its silo goes.
    private static async Task<DatabaseAnswer> LoadAsync(ApiCall call)
    {
        var request = await call.ReadAsync<DatabaseRequest>();
        var terms = new DatabaseTerms(
            ApiCall.Bounded(request.Warehouses, "warehouses", 1, WarehousesMax),
            ApiCall.Bounded(request.Scale, "scale", ScaleMin, ScaleMax),
            request.Seed);
        if (LoadPlan.Of(terms.Size, terms.Seed).Calls is > GrainsMax and var grains)
        {
            throw new BadHttpRequestException(
                $"That is {grains} grains, and at most {GrainsMax} are loaded: "
                + "say fewer \"warehouses\", or a smaller \"scale\".");
        }

        while (true)
        {
            call.Aborted.ThrowIfCancellationRequested();
            using var key = IdempotencyKey.Use(Guid.NewGuid().ToString("n"));
            var database = await Database(call).LoadNext(terms);
            if (database.IsLoaded) return Answer(database);
        }
    }

    private static async Task<DatabaseInfo> ReadAsync(ApiCall call) =>
        await Database(call).Read() ?? throw NotLoaded("There is no database yet");

    private async Task<DatabaseSize> SizeAsync(ApiCall call)
    {
        if (_loaded is { } loaded) return loaded;
        var database = await ReadAsync(call);
        return database.IsLoaded
            ? _loaded = database.Terms.Size
            : throw NotLoaded($"{database.Loaded} of {database.Grains} grains have their rows");
    }

    private async Task<int> WarehouseAsync(ApiCall call) =>
        call.Number("warehouse", 1, (await SizeAsync(call)).Warehouses);

    private async Task<long> DistrictAsync(ApiCall call) =>
        Keys.District(await WarehouseAsync(call), call.Number("district", 1, DatabaseSize.Districts));

    private static ImmutableArray<NewOrderLine> Lines(OrderRequest order, int warehouse, DatabaseSize size)
    {
        if (order.Lines is not { Length: >= LinesMin and <= LinesMax } lines)
            throw new BadHttpRequestException($"\"lines\" must be {LinesMin} to {LinesMax}.");
        return
        [
            .. lines.Select(line => new NewOrderLine
            {
                ItemId = ApiCall.Bounded(line.Item, "item", 1, ItemMax),
                SupplyWarehouse = ApiCall.Bounded(
                    line.SupplyWarehouse ?? warehouse, "supplyWarehouse", 1, size.Warehouses),
                Quantity = ApiCall.Bounded(line.Quantity, "quantity", 1, 10),
            }),
        ];
    }

    private static CustomerSelector Customer(CustomerRequest request, long district, DatabaseSize size)
    {
        if (request.Id is null == string.IsNullOrEmpty(request.Last))
            throw new BadHttpRequestException("Say which customer: by number, or by last name.");
        return new CustomerSelector
        {
            Warehouse = ApiCall.Bounded(
                request.Warehouse ?? Keys.WarehouseOf(district), "warehouse", 1, size.Warehouses),
            District = ApiCall.Bounded(
                request.District ?? Keys.NumberOf(district), "district", 1, DatabaseSize.Districts),
            Id = request.Id is { } id ? ApiCall.Bounded(id, "id", 1, size.Customers) : 0,
            Last = request.Id is null ? request.Last : null,
        };
    }

    // The time is an argument of the call, and a request that is sent again must have the same ones.
    private DateTime TimeOf(ApiCall call, DateTimeOffset? said) => said is null && call.HasKey
        ? throw new BadHttpRequestException(
            "A request with an Idempotency-Key says its time (\"at\"): it must be the same when it is sent again.")
        : (said ?? _time.GetUtcNow()).UtcDateTime;

    private static BadHttpRequestException NotLoaded(string why) =>
        new($"{why}: PUT /database with \"warehouses\" and \"scale\".", StatusCodes.Status404NotFound);

    private static IDatabaseGrain Database(ApiCall call) => call.Grains.GetGrain<IDatabaseGrain>(0);

    private static IDistrictGrain District(ApiCall call, long key) => call.Grains.GetGrain<IDistrictGrain>(key);

    private static DatabaseAnswer Answer(DatabaseInfo database)
    {
        var (terms, size) = (database.Terms, database.Terms.Size);
        var (loaded, grains) = (database.Loaded, database.Grains);
        return new(terms.Warehouses, terms.Scale, terms.Seed, size.Items, size.Customers, loaded, grains);
    }
}
