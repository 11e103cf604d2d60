using System.Net;

namespace Polyjuice.Deploy.Tests.Pods;

/// <summary>
/// The silos of Smallbank and of TPC-C as their overlays start them: they make their data, serve it, keep what must
/// hold, and end.
/// </summary>
[Collection(SiloPods.Collection)]
[RequiresKubectl]
[RequiresAzurite]
public sealed class ApplicationTests
{
    private const int Clients = 4;
    private const int CallsOfEach = 40;
    private const int ChecksUnderLoad = 3;

    [ConditionalFact]
    public async Task Smallbank_counts_all_of_its_money_while_it_moves_and_when_a_silo_has_left()
    {
        const int Accounts = 200;
        await using var pods = await SiloPods.StartAsync(new Overlay("local-smallbank", "smallbank"));
        using var client = new PodClient(pods);
        object bank = new { accounts = Accounts, checking = 100_00, savings = 100_00 };
        await client.DoAsync(HttpMethod.Put, "/bank", bank);
        await client.DoAsync(HttpMethod.Put, "/bank", bank);
        var expected = Accounts * 200_00L;
        Assert.Equal(expected, await TotalAsync());

        // What comes from elsewhere or goes there is booked; all else stays in the bank.
        await EachClientAsync(async random =>
        {
            var (account, other) = (random.Next(1, Accounts), Accounts);
            var (path, body, booked) = random.Next(5) switch
            {
                0 => ($"/accounts/{account}/deposits", new { amount = 7 }, 7L),
                1 => ($"/accounts/{account}/savings", new { amount = 5 }, 5L),
                2 => ($"/accounts/{account}/checks", new { amount = 500 }, 0L),
                3 => ($"/accounts/{account}/payments", new { to = other, amount = 300 }, 0L),
                _ => ($"/accounts/{account}/amalgamations", (object)new { into = other }, 0L),
            };
            var (status, answer) = await client.CallAsync(HttpMethod.Post, path, body);

            // Who has nothing left pays nothing.
            var isRight = status == HttpStatusCode.OK
                || (status == HttpStatusCode.Conflict && path.EndsWith("/payments", StringComparison.Ordinal));
            Assert.True(isRight, $"{path}: {status}: {answer?.ToJsonString()} {pods.Said()}");
            Interlocked.Add(ref expected, booked - ((long?)answer?["taken"] ?? 0));
        });
        Assert.Equal(expected, await TotalAsync());
        await EndAsync(pods.All[0]);
        Assert.Equal(expected, await TotalAsync());
        await EndAsync(pods);

        async Task<long> TotalAsync() => (long)(await client.DoAsync(HttpMethod.Get, "/bank/total"))["total"]!;
    }

    [ConditionalFact]
    public async Task Tpcc_keeps_its_consistency_conditions_while_orders_come_in_and_when_a_silo_has_left()
    {
        await using var pods = await SiloPods.StartAsync(new Overlay("local-tpcc", "tpcc"));
        using var client = new PodClient(pods);
        object database = new { warehouses = 1, scale = 0.001, seed = 1 };
        var loaded = await client.DoAsync(HttpMethod.Put, "/database", database);
        await client.DoAsync(HttpMethod.Put, "/database", database);
        var (items, customers) = ((int)loaded["items"]!, (int)loaded["customersPerDistrict"]!);
        var (orders, payments) = await CheckAsync();

        var load = EachClientAsync(async random =>
        {
            var district = $"/warehouses/1/districts/{random.Next(1, 11)}";
            var customer = random.Next(1, customers + 1);
            switch (random.Next(10))
            {
                case < 4:
                    var lines = Enumerable.Range(0, random.Next(5, 16))
                        .Select(_ => new { item = random.Next(1, items + 1), quantity = random.Next(1, 11) }).ToArray();
                    await client.DoAsync(HttpMethod.Post, $"{district}/orders", new { customer, lines });
                    Interlocked.Increment(ref orders);
                    break;
                case < 7:
                    var payment =
                        new { district = random.Next(1, 11), customer = new { id = customer }, amount = 10_00 };
                    await client.DoAsync(HttpMethod.Post, "/warehouses/1/payments", payment);
                    Interlocked.Increment(ref payments);
                    break;
                case 7:
                    var delivery = new { carrier = random.Next(1, 11) };
                    await client.DoAsync(HttpMethod.Post, "/warehouses/1/deliveries", delivery);
                    break;
                case 8:
                    await client.DoAsync(HttpMethod.Get, $"{district}/order-status?customer={customer}");
                    break;
                default:
                    await client.DoAsync(HttpMethod.Get, $"{district}/stock-level?threshold=15");
                    break;
            }
        });

        // All rows are read at one moment, so the conditions hold while others change them.
        for (var check = 0; check < ChecksUnderLoad; check++) await CheckAsync();
        await load;
        Assert.Equal((orders, payments), await CheckAsync());
        await EndAsync(pods.All[0]);
        Assert.Equal((orders, payments), await CheckAsync());
        await EndAsync(pods);

        async Task<(int Orders, int Payments)> CheckAsync()
        {
            var report = await client.DoAsync(HttpMethod.Get, "/database/consistency");
            Assert.True((int)report["violations"]! == 0, report.ToJsonString());
            return ((int)report["orders"]!, (int)report["payments"]!);
        }
    }

    private static Task EachClientAsync(Func<Random, Task> call) =>
        Task.WhenAll(Enumerable.Range(1, Clients).Select(async client =>
        {
            var random = new Random(client);
            for (var calls = 0; calls < CallsOfEach; calls++) await call(random);
        }));

    private static async Task EndAsync(SiloPods pods)
    {
        foreach (var pod in pods.All.Where(pod => pod.IsEndpoint)) await EndAsync(pod);
        Assert.DoesNotContain(pods.All, pod => pod.HasFailed);
    }

    private static async Task EndAsync(SiloPod pod)
    {
        var code = await pod.EndAsync();
        Assert.True(code == 0, $"It ended with {code}. {pod.Said()}");
    }
}
