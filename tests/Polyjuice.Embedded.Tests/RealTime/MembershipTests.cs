namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class MembershipTests
{
    [Fact]
    public async Task A_call_in_flight_to_a_killed_silo_fails_as_unavailable()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var call = cluster.GrainOn<ILife>(1, "inflight").BlocksUntil("kill in flight");
        await Signals.WaitAsync("kill in flight entered");
        await cluster.Silos[1].KillAsync();
        await Assert.ThrowsAsync<SiloUnavailableException>(() => call);
    }

    [Fact]
    public async Task Calls_after_a_kill_wait_for_the_survivor_and_then_succeed()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var grain = cluster.GrainOn<ILife>(1, "survive");
        var before = await grain.Incarnation();
        await cluster.Silos[1].KillAsync();
        Assert.NotEqual(before, await grain.Incarnation());
        await cluster.WhenBalancedAsync();
        Assert.Equal(1, cluster.Silos[0].Activations);
    }

    [Fact]
    public async Task Calls_wait_while_no_silo_runs()
    {
        await using var cluster = await TestCluster.StartAsync(1);
        await cluster.Silos[0].KillAsync();
        Assert.False(cluster.Silos[0].IsRunning);
        var call = cluster.Client.GetGrain<ICallee>("waits").Echo("hello");
        await cluster.Silos[0].RestartAsync();
        Assert.Equal("waits: hello", await call);
    }

    [Fact]
    public async Task A_call_that_waits_for_an_owner_times_out()
    {
        await using var cluster = await TestCluster.StartAsync(1);
        await cluster.Silos[0].KillAsync();
        await Assert.ThrowsAsync<TimeoutException>(() => cluster.Client.GetGrain<ICallee>("k").Never());
    }

    [Fact]
    public async Task A_restarted_silo_is_another_node_and_gets_its_partitions_back()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var grain = cluster.GrainOn<ILife>(1, "back");
        var node = cluster.Silos[1].Id;
        await cluster.Silos[1].KillAsync();
        var onSurvivor = await grain.Incarnation();
        await cluster.Silos[1].RestartAsync();
        Assert.True(cluster.Silos[1].Id.Value > node.Value);
        Assert.NotEqual(onSurvivor, await grain.Incarnation());
        Assert.Equal(1, cluster.Silos[1].Activations);
        Assert.True(Signals.IsSet($"{grain.GetPrimaryKeyString()} deactivated: Migrating"));
    }

    [Fact]
    public async Task A_silo_that_stops_in_good_order_hands_its_grains_over()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var grain = cluster.GrainOn<ILife>(1, "handover");
        await grain.Incarnation();
        await cluster.Silos[1].StopAsync();
        Assert.True(Signals.IsSet($"{grain.GetPrimaryKeyString()} deactivated: ShuttingDown"));
        await grain.Incarnation();
        Assert.Equal(1, cluster.Silos[0].Activations);
    }

    [Fact]
    public async Task Calls_that_still_wait_when_the_cluster_stops_are_told()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        await cluster.Silos[0].KillAsync();
        await cluster.Silos[1].KillAsync();
        await cluster.WhenBalancedAsync();
        var call = cluster.Client.GetGrain<ICallee>("k").Echo("anyone?");
        await cluster.StopAsync();
        await Assert.ThrowsAsync<SiloUnavailableException>(() => call.WaitAsync(TimeSpan.FromMinutes(2)));
        await Assert.ThrowsAsync<SiloUnavailableException>(() => cluster.Client.GetGrain<ICallee>("k").Echo("too late"));
    }

    [Fact]
    public async Task Transactions_under_fire_conserve_money()
    {
        await using var cluster = await TestCluster.StartAsync(3);
        using var stop = new CancellationTokenSource();
        var accounts = Enumerable.Range(0, 12).Select(i => $"m{i}").ToArray();
        var load = Enumerable.Range(0, 6).Select(n => Task.Run(async () =>
        {
            var random = new Random(n);
            while (!stop.IsCancellationRequested)
            {
                var from = random.Next(12);
                try
                {
                    await cluster.Client.GetGrain<ITeller>($"m{n}").Transfer(accounts[from], accounts[(from + 1 + random.Next(11)) % 12], 1);
                }
                catch (Exception exception) when (exception is OrleansException or ObjectDisposedException)
                {
                    // Aborted, in doubt, or its silo died: the sum holds in any case.
                }
            }
        })).ToArray();
        for (var round = 0; round < 3; round++)
        {
            await cluster.Silos[round].KillAsync();
            await cluster.WhenBalancedAsync();
            await cluster.Silos[round].RestartAsync();
        }

        await stop.CancelAsync();
        await Task.WhenAll(load).WaitAsync(TimeSpan.FromMinutes(2));
        var balances = await Task.WhenAll(accounts.Select(account => cluster.Client.GetGrain<IAccount>(account).Get()));
        Assert.Equal(1_200, balances.Sum());
    }

    [Fact]
    public async Task Callers_under_fire_always_get_an_answer()
    {
        await using var cluster = await TestCluster.StartAsync(3);
        using var stop = new CancellationTokenSource();
        var answered = 0;
        var load = Enumerable.Range(0, 8).Select(n => Task.Run(async () =>
        {
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                try
                {
                    await cluster.Client.GetGrain<ICaller>($"fire{n}").Relay($"fire{i % 20}", "hello");
                    Interlocked.Increment(ref answered);
                }
                catch (SiloUnavailableException)
                {
                    // A silo died under the call.
                }
                catch (OrleansMessageRejectionException)
                {
                    // The grain moved while the call waited for its turn.
                }
            }
        })).ToArray();
        for (var round = 0; round < 3; round++)
        {
            // Each time it dies under load, however long the machine takes for that.
            var before = Volatile.Read(ref answered);
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref answered) >= before + 20, TimeSpan.FromMinutes(2)), "Nobody gets an answer any more.");
            await cluster.Silos[round].KillAsync();
            await cluster.WhenBalancedAsync();
            await cluster.Silos[round].RestartAsync();
        }

        await stop.CancelAsync();
        await Task.WhenAll(load).WaitAsync(TimeSpan.FromMinutes(2));
    }
}
