using System.Net;

namespace TpccSilo.Tests;

public sealed class TpccTests
{
    // The least there is: 100 items; of each district 10 customers, and 10 orders of which 3 are not delivered.
    private static readonly object s_database = new { warehouses = 1, scale = 0.001, seed = 1 };
    private static readonly object[] s_lines = [.. Enumerable.Range(1, 5).Select(item => new { item, quantity = 2 })];

    [Fact]
    public async Task The_five_transactions_do_what_they_say_and_all_conditions_hold()
    {
        await using var silo = await LoadAsync();
        var loaded = await CheckAsync(silo);
        Assert.Equal((100, 100), loaded);

        var order = await silo.PostAsync(
            "/warehouses/1/districts/3/orders", new { customer = 4, lines = s_lines }).DoneAsync();
        Assert.Equal(11, (int)order["orderId"]!);
        Assert.Equal(5, order["lines"]!.AsArray().Count);
        var status = await silo.GetAsync("/warehouses/1/districts/3/order-status?customer=4").DoneAsync();
        Assert.Equal(11, (int)status["customer"]!["lastOrderId"]!);
        Assert.Equal(-10_00, (long)status["customer"]!["balanceCents"]!);

        var byName = await silo.PostAsync(
            "/warehouses/1/payments",
            new { district = 3, customer = new { last = "BARBARBAR" }, amount = 25_00 }).DoneAsync();
        Assert.Equal("BARBARBAR", (string)byName["customer"]!["info"]!["last"]!);
        await silo.PostAsync(
            "/warehouses/1/payments",
            new { district = 5, customer = new { id = 4, district = 3 }, amount = 40_00 }).DoneAsync();
        status = await silo.GetAsync("/warehouses/1/districts/3/order-status?customer=4").DoneAsync();
        Assert.InRange((long)status["customer"]!["balanceCents"]!, -75_00, -50_00);

        // Three of each district are new at first, and one more in the third.
        for (var delivery = 0; delivery < 4; delivery++)
        {
            var delivered = await silo.PostAsync("/warehouses/1/deliveries", new { carrier = 7 }).DoneAsync();
            Assert.Equal(8 + delivery, (int)delivered["orderIds"]![2]!);
            Assert.Equal(delivery < 3 ? 8 + delivery : 0, (int)delivered["orderIds"]![0]!);
        }

        var level = await silo.GetAsync("/warehouses/1/districts/3/stock-level?threshold=20").DoneAsync();
        Assert.InRange((int)level["scarce"]!, 0, 100);
        Assert.Equal((101, 102), await CheckAsync(silo));
    }

    [Fact]
    public async Task A_database_that_is_loaded_again_keeps_its_rows_and_another_one_is_refused()
    {
        await using var silo = await LoadAsync();
        await silo.PostAsync("/warehouses/1/districts/1/orders", new { customer = 1, lines = s_lines }).DoneAsync();
        var again = await Task.WhenAll(
            silo.PutAsync("/database", s_database).DoneAsync(), silo.PutAsync("/database", s_database).DoneAsync());
        Assert.All(again, answer => Assert.Equal((int)answer["grains"]!, (int)answer["loaded"]!));
        Assert.Equal((101, 100), await CheckAsync(silo));
        await silo.PutAsync("/database", new { warehouses = 2, scale = 0.001, seed = 1 })
            .RefusedAsync(HttpStatusCode.Conflict, "There is a database of 1 warehouse");
    }

    [Fact]
    public async Task A_request_that_is_repeated_with_its_key_and_its_time_has_its_effect_once()
    {
        await using var silo = await LoadAsync();
        var order = new { customer = 1, lines = s_lines, at = "2026-11-30T09:00:00Z" };
        for (var i = 0; i < 3; i++)
            Assert.Equal(
                11,
                (int)(await silo.PostAsync(
                    "/warehouses/1/districts/1/orders", order, key: "order-4711").DoneAsync())["orderId"]!);
        Assert.Equal((101, 100), await CheckAsync(silo));
        await silo.PostAsync(
            "/warehouses/1/districts/1/orders", new { customer = 1, lines = s_lines }, key: "order-4712")
            .RefusedAsync(HttpStatusCode.BadRequest, "\"at\"");
    }

    [Fact]
    public async Task What_cannot_be_done_is_refused_with_what_to_do_and_changes_nothing()
    {
        await using var silo = await RunningSilo.StartAsync();
        await silo.GetAsync("/database").RefusedAsync(HttpStatusCode.NotFound, "PUT /database");
        await silo.PostAsync("/warehouses/1/deliveries", new { carrier = 1 })
            .RefusedAsync(HttpStatusCode.NotFound, "PUT /database");
        await silo.PutAsync("/database", new { warehouses = 11, scale = 0.001 })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"warehouses\" is 11, and must be 1 to 10");
        await silo.PutAsync("/database", new { warehouses = 1, scale = 0 })
            .RefusedAsync(HttpStatusCode.BadRequest, "must be 0.001 to 1");
        await silo.PutAsync("/database", new { warehouses = 10, scale = 0.1 })
            .RefusedAsync(HttpStatusCode.BadRequest, "163310 grains, and at most 50000");
        await silo.PutAsync("/database", s_database).DoneAsync();

        const string Orders = "/warehouses/1/districts/1/orders";
        await silo.PostAsync("/warehouses/2/deliveries", new { carrier = 1 })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"warehouse\" is 2");
        await silo.PostAsync("/warehouses/1/districts/11/orders", new { customer = 1, lines = s_lines })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"district\" is 11");
        await silo.PostAsync(Orders, new { customer = 11, lines = s_lines })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"customer\" is 11");
        await silo.PostAsync(Orders, new { customer = 1, lines = s_lines[..4] })
            .RefusedAsync(HttpStatusCode.BadRequest, "5 to 15");
        object[] unused = [.. s_lines, new { item = 101, quantity = 1 }];
        await silo.PostAsync(Orders, new { customer = 1, lines = unused })
            .RefusedAsync(HttpStatusCode.Conflict, "Item number is not valid");
        object[] elsewhere = [.. s_lines, new { item = 1, quantity = 1, supplyWarehouse = 2 }];
        await silo.PostAsync(Orders, new { customer = 1, lines = elsewhere })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"supplyWarehouse\"");
        await silo.PostAsync("/warehouses/1/payments", new { district = 1, amount = 1 })
            .RefusedAsync(HttpStatusCode.BadRequest, "by number, or by last name");
        await silo.PostAsync(
            "/warehouses/1/payments", new { district = 1, amount = 1, customer = new { last = "NOBODY" } })
            .RefusedAsync(HttpStatusCode.NotFound, "last name");
        await silo.GetAsync("/warehouses/1/districts/1/order-status?last=NOBODY")
            .RefusedAsync(HttpStatusCode.NotFound, "last name");
        await silo.GetAsync("/warehouses/1/districts/1/stock-level")
            .RefusedAsync(HttpStatusCode.BadRequest, "threshold");
        Assert.Equal((100, 100), await CheckAsync(silo));
    }

    private static async Task<RunningSilo> LoadAsync()
    {
        var silo = await RunningSilo.StartAsync();
        await silo.PutAsync("/database", s_database).DoneAsync();
        return silo;
    }

    /// <summary>All conditions hold.</summary>
    /// <returns>How many orders and payments there are.</returns>
    private static async Task<(int Orders, int Payments)> CheckAsync(RunningSilo silo)
    {
        var report = await silo.GetAsync("/database/consistency").DoneAsync();
        Assert.True((int)report["violations"]! == 0, report.ToJsonString());
        return ((int)report["orders"]!, (int)report["payments"]!);
    }
}
