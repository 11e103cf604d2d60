using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallReplayTests
{
    [Fact]
    public async Task What_was_recorded_on_a_cluster_is_made_again_on_another()
    {
        var (trace, balances) = await RecordAsync();
        await using var cluster = await PolyjuiceCluster.StartAsync(silos: 2);
        await OpenAsync(cluster.Client);

        var result = await new CallReplay(
            trace, new OrleansCallTarget(cluster.Client), new CallReplayOptions { Clients = 1 }).RunAsync();

        Assert.Empty(result.NotMade);
        Assert.Equal((42, 41, 1), (result.Made, result.Committed, result.Count(CallOutcome.Refused)));
        Assert.Equal(nameof(InvalidOperationException), Assert.Single(result.Reasons).Key);
        Assert.Equal(
            [("Transfer(System.Int64, System.Int64, System.Int32)", 41), ("Sum(System.Int64[])", 1)],
            result.Methods.Select(method => (method.Method.Signature, method.Made)));
        Assert.Equal(balances, await BalancesAsync(cluster.Client));
    }

    [Fact]
    public async Task Many_clients_at_once_conserve_money()
    {
        var (trace, balances) = await RecordAsync();
        await using var cluster = await PolyjuiceCluster.StartAsync(silos: 1);
        await OpenAsync(cluster.Client);

        var result = await new CallReplay(
            trace, new OrleansCallTarget(cluster.Client), new CallReplayOptions { Clients = 8 }).RunAsync();

        Assert.Equal((42, 0), (result.Made, result.Count(CallOutcome.InDoubt)));
        Assert.Equal(balances.Sum(), (await BalancesAsync(cluster.Client)).Sum());
    }

    [Fact]
    public async Task What_the_cluster_does_not_know_and_arguments_that_cannot_be_read_are_said()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(silos: 1);
        var target = new OrleansCallTarget(cluster.Client);
        var known = TracedMethod.Of("account", typeof(IAccount), nameof(IAccount.Deposit), [typeof(int)]);

        string ProblemOf(TracedMethod method) => Assert.Throws<CallUnknownException>(() => target.Find(method)).Message;

        Assert.Contains("grain type gone", ProblemOf(known with { GrainType = "gone" }), StringComparison.Ordinal);
        Assert.Contains(
            "grain interface IGone", ProblemOf(known with { Interface = "IGone" }), StringComparison.Ordinal);
        Assert.Contains(
            "no such method", ProblemOf(known with { Signature = "Deposit(System.Int64)" }), StringComparison.Ordinal);
        var deposit = target.Find(known);
        var serializer = cluster.Client.ServiceProvider.GetRequiredService<global::Orleans.Serialization.Serializer>();
        foreach (var arguments in (object?[][])[[], [1L], [null], [1, 2]])
            Assert.Contains(
                "can't be read",
                Assert.Throws<CallUnknownException>(
                    () => deposit.Prepare("1", serializer.SerializeToArray(arguments))).Message,
                StringComparison.Ordinal);
        Assert.Contains(
            "can't be read",
            Assert.Throws<CallUnknownException>(() => deposit.Prepare("1", new byte[] { 1, 2, 3 })).Message,
            StringComparison.Ordinal);
        Assert.Equal(
            CallOutcome.Committed,
            (await deposit.Prepare("1", serializer.SerializeToArray<object?[]>([5]))()).Outcome);
        Assert.Equal(5, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
    }

    /// <summary>Serial transfers of growing amounts, one of them refused, and a sum.</summary>
    private static async Task<(AccessTrace Trace, int[] Balances)> RecordAsync()
    {
        var sink = new MemoryTraceSink();
        var cluster = await PolyjuiceCluster.StartAsync(
            1,
            silo => silo.Services.AddOptions<PolyjuiceOptions>().Configure(options =>
            {
                options.TraceSink = sink;
                options.Trace.RecordsCalls = true;
            }));
        int[] balances;
        await using (cluster)
        {
            await OpenAsync(cluster.Client);
            for (var i = 0; i < 40; i++) await cluster.Client.GetGrain<ITeller>(i).Transfer(i % 4, (i + 1) % 4, i);
            await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
                () => cluster.Client.GetGrain<ITeller>(0).Transfer(0, 1, 1_000_000));
            await cluster.Client.GetGrain<ITeller>(0).Sum([0, 1, 2, 3]);
            balances = await BalancesAsync(cluster.Client);
        }

        var all = TraceFile.Read(sink).Trace;
        Assert.Equal("orleans", all.ArgumentEncoding);

        // Without what has opened the accounts, and looked at them.
        var tellers = all.Calls.ToArray().Select((call, place) => (call, all.Transactions[place].ArrivalMicroseconds))
            .Where(pair => all.Methods[pair.call.Method].Interface == typeof(ITeller).FullName).ToList();
        return (all.Slice(tellers[0].ArrivalMicroseconds, tellers[^1].ArrivalMicroseconds + 1), balances);
    }

    private static async Task OpenAsync(IGrainFactory grains)
    {
        for (var key = 0; key < 4; key++) await grains.GetGrain<IAccount>(key).Deposit(1_000);
    }

    private static async Task<int[]> BalancesAsync(IGrainFactory grains)
    {
        var balances = new int[4];
        for (var key = 0; key < balances.Length; key++)
            balances[key] = await grains.GetGrain<IAccount>(key).GetBalance();
        return balances;
    }
}
