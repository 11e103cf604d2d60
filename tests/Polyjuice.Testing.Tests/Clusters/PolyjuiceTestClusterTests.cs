using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Polyjuice.Testing.Tests.Clusters;

public sealed class PolyjuiceTestClusterTests
{
    [Fact]
    public async Task Transactions_run_over_two_silos()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync();

        await Task.WhenAll(Enumerable.Range(1, 20).Select(to => cluster.Grains.GetGrain<IPurse>(0).Give(to, 1)));

        Assert.Equal(2, cluster.Silos.Count);
        Assert.Equal(-20, await cluster.Grains.GetGrain<IPurse>(0).Count());
        Assert.Equal(
            2,
            Enumerable.Range(0, 20).Select(key => cluster.SiloOf(cluster.Grains.GetGrain<IPurse>(key))!.Name).Distinct()
                .Count());
        Assert.True(cluster.Statistics.Commits >= 21);
    }

    [Fact]
    public async Task A_silo_whose_start_fails_is_ended()
    {
        var failing = new FailingStart();
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = 1;
            options.ConfigureSilo = silo => silo.Services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(failing);
        });
        failing.Fails = true;

        await Assert.ThrowsAnyAsync<Exception>(cluster.StartSiloAsync);

        Assert.Equal(1, failing.Ended);
        failing.Fails = false;
        Assert.Equal(2, (await cluster.StartSiloAsync()).Parts.Number);
        Assert.Equal(2, cluster.Silos.Count);
    }

    [Theory]
    [InlineData(0.5)]
    [InlineData(1)]
    [InlineData(20)]
    public async Task A_message_between_silos_and_clients_takes_as_long_as_asked(double milliseconds)
    {
        const int Calls = 10;
        await using var cluster = await PolyjuiceTestCluster.StartAsync(
            options => options.NetworkDelay = TimeSpan.FromMilliseconds(milliseconds));
        await cluster.Grains.GetGrain<IPurse>(0).Put(1);
        var since = Stopwatch.GetTimestamp();

        for (var i = 0; i < Calls; i++) await cluster.Grains.GetGrain<IPurse>(0).Count();

        // There, and back.
        var took = Stopwatch.GetElapsedTime(since);
        Assert.True(took >= TimeSpan.FromMilliseconds(2 * Calls * milliseconds), $"took {took}");
    }

    [Fact]
    public async Task A_client_that_has_lost_a_gateway_is_answered_by_its_silo_through_another()
    {
        var bound = TimeSpan.FromSeconds(20);
        await using var cluster = await PolyjuiceTestCluster.StartAsync(
            options => options.ResponseTimeout = TimeSpan.FromSeconds(1));
        var purses = Enumerable.Range(0, 32).Select(key => cluster.Grains.GetGrain<IPurse>(key)).ToArray();
        var gateway = cluster.Silos[1];
        var purse = purses.First(one => cluster.SiloOf(one) == gateway);

        // Which gateway a call goes through depends on its grain: these use both.
        await Task.WhenAll(purses.Select(one => one.Put(1)));

        cluster.Network.Sever(ClusterNetwork.Client, gateway.Name);

        var since = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                Assert.Equal(1, await purse.Count());
                break;
            }
            catch (Exception exception) when (
                CallOutcomes.Of(exception) != CallOutcome.Refused && Stopwatch.GetElapsedTime(since) < bound)
            {
                // Its connection is broken, or its answer is kept for that connection.
            }
        }
    }

    [Fact]
    public async Task Recordings_begin_and_end_while_the_cluster_runs()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync();
        var sink = new MemoryTraceSink();
        await cluster.Grains.GetGrain<IPurse>(1).Put(1);

        cluster.StartTrace(new TraceRecorderOptions { RecordsCalls = true }, sink);
        for (var i = 0; i < 10; i++) await cluster.Grains.GetGrain<IPurse>(i).Give(i + 1, 1);
        var counts = await cluster.StopTraceAsync();
        await cluster.Grains.GetGrain<IPurse>(1).Put(1);

        Assert.Equal((10, 20), (counts.Calls, counts.Accesses));
        Assert.Equal(2, sink.Files.Count);
        Assert.Equal(default, await cluster.StopTraceAsync());
    }

    [Fact]
    public async Task A_policy_is_put_in_force_on_all_silos()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Policy = "locking");
        Assert.All(cluster.Silos, silo => Assert.Equal("locking", silo.Policies.Current.Name));

        cluster.Swap(BuiltinPolicies.Get("ic3"));

        Assert.All(cluster.Silos, silo => Assert.Equal("ic3", silo.Policies.Current.Name));
    }

    [Fact]
    public async Task A_cluster_is_idle_when_the_last_transaction_has_ended()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync();
        await cluster.WhenIdleAsync();
        var (joined, mayEnd) = (new TaskCompletionSource(), new TaskCompletionSource());
        var transaction = cluster.Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await cluster.Grains.GetGrain<IPurse>(1).Put(1);
            joined.SetResult();
            await mayEnd.Task;
        });
        await joined.Task;

        var failure = await Assert.ThrowsAsync<TimeoutException>(
            () => cluster.WhenIdleAsync(TimeSpan.FromMilliseconds(50)));
        Assert.Contains(cluster.Silos, silo => failure.Message.Contains(silo.ToString(), StringComparison.Ordinal));

        mayEnd.SetResult();
        await transaction;
        await cluster.WhenIdleAsync();
        Assert.Equal(1, await cluster.Grains.GetGrain<IPurse>(1).Count());
    }

    [Fact]
    public async Task An_option_out_of_its_bounds_is_refused_by_its_name()
    {
        var failure = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => PolyjuiceTestCluster.StartAsync(options => options.Silos = 0));
        Assert.Contains(nameof(PolyjuiceTestClusterOptions.Silos), failure.Message, StringComparison.Ordinal);
    }

    /// <summary>Silos that do not become active while that is wanted.</summary>
    private sealed class FailingStart : ILifecycleParticipant<ISiloLifecycle>
    {
        private int _ended;

        public bool Fails { get; set; }

        public int Ended => Volatile.Read(ref _ended);

        public void Participate(ISiloLifecycle lifecycle)
        {
            lifecycle.Subscribe(nameof(FailingStart), ServiceLifecycleStage.First, _ => Task.CompletedTask, _ =>
            {
                Interlocked.Increment(ref _ended);
                return Task.CompletedTask;
            });
            lifecycle.Subscribe(
                nameof(FailingStart), ServiceLifecycleStage.BecomeActive - 1,
                _ => Fails ? Task.FromException(new InvalidOperationException("It is to fail.")) : Task.CompletedTask);
        }
    }
}
