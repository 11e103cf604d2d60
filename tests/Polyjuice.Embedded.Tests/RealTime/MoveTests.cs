namespace Polyjuice.Embedded.Tests.RealTime;

/// <summary>Partitions that move although nothing has crashed: silos that stop in good order, and such as come back.</summary>
public sealed class MoveTests
{
    [Fact]
    public async Task A_call_that_waits_at_a_grain_which_moves_runs_where_the_grain_is_then()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var grain = cluster.GrainOn<ILife>(1, "queued");
        var caller = cluster.GrainOn<ICaller>(0, "asks");
        var callee = cluster.GrainOn<ICallee>(1, "queued");
        var before = await grain.Incarnation();
        var running = grain.BlocksUntil("let the grain go");
        await Signals.WaitAsync("let the grain go entered");
        var waiting = grain.Incarnation();
        var stopping = cluster.Silos[1].StopAsync();
        await cluster.Silos[1].Node!.FlushAsync();
        var late = grain.Incarnation();
        var relayed = caller.Relay(callee.GetPrimaryKeyString(), "hello");
        Signals.Set("let the grain go");
        Assert.True(await running);
        Assert.NotEqual(before, await waiting);
        Assert.Equal(await waiting, await late);
        Assert.Equal($"{callee.GetPrimaryKeyString()}: hello", await relayed);
        await stopping;
        Assert.False(cluster.Silos[1].IsRunning);
    }

    [Fact]
    public async Task Calls_from_the_same_silo_and_such_that_nobody_waits_for_are_sent_on_too()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var grain = cluster.GrainOn<IQueue>(1, "line");
        var neighbour = cluster.GrainOn<IQueue>(0, "neighbour");
        await cluster.Silos[1].KillAsync();
        await cluster.WhenBalancedAsync();

        // Both are on silo 0 now, where a client's call, a neighbour's and a one-way call wait for a turn that ends after the partition has begun to move back.
        var holder = grain.Hold("line moves");
        await Signals.WaitAsync("line moves entered");
        var fromNeighbour = neighbour.Ask(grain.GetPrimaryKeyString());
        await grain.Note("line noted");
        var fromClient = grain.Where();
        await Signals.WaitAsync("asking " + grain.GetPrimaryKeyString());
        var restart = cluster.Silos[1].RestartAsync();
        await cluster.Silos[0].Node!.FlushAsync();
        Assert.False(Signals.IsSet("line noted"));
        Signals.Set("line moves");
        await holder;
        await restart;
        Assert.Equal("silo1", await fromClient);
        Assert.Equal("silo1", await fromNeighbour);
        await Signals.WaitAsync("line noted");
    }

    [Fact]
    public async Task Grains_that_wait_for_each_other_end_before_their_partition_moves()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var first = cluster.GrainOn<IQueue>(1, "first");
        var second = cluster.GrainOn<IQueue>(1, "second");
        var chain = first.HoldThenAsk("chain", second.GetPrimaryKeyString());
        await Signals.WaitAsync("chain entered");
        var stopping = cluster.Silos[1].StopAsync();
        await cluster.Silos[1].Node!.FlushAsync();
        Signals.Set("chain");

        // The first asks the second while both are leaving, and is answered there.
        Assert.Equal("silo1", await chain);
        await stopping;
        Assert.Equal("silo0", await second.Where());
    }

    [Fact]
    public async Task A_transaction_whose_grain_moves_between_two_attempts_goes_on_where_the_grain_is_then()
    {
        await using var cluster = await TestCluster.StartAsync(3);
        var root = cluster.GrainOn<IMovingTeller>(1, "attempts");
        var account = cluster.KeyOn<IAccount>(2, "moved");
        var transaction = root.AddAfter(account, "attempts move");
        await Signals.WaitAsync("attempts move entered");

        // The first attempt has lost what it has read, and its grain leaves before there is a second one.
        await cluster.Silos[2].KillAsync();
        await cluster.WhenBalancedAsync();
        var stopping = cluster.Silos[1].StopAsync();
        await cluster.Silos[1].Node!.FlushAsync();
        Signals.Set("attempts move");
        await transaction;
        await stopping;
        Assert.Equal(101, await cluster.Client.GetGrain<IAccount>(account).Get());
    }

    [Fact]
    public async Task Silos_that_come_and_go_in_good_order_under_load_refuse_nobody_and_lose_nothing()
    {
        await using var cluster = await TestCluster.StartAsync(3);
        using var stop = new CancellationTokenSource();
        var accounts = Enumerable.Range(0, 12).Select(i => $"g{i}").ToArray();
        var counted = new int[accounts.Length];
        var failures = new List<Exception>();
        var progress = 0;
        var load = Enumerable.Range(0, 8).Select(n => Task.Run(async () =>
        {
            var random = new Random(n);
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                try
                {
                    var from = random.Next(accounts.Length);
                    if (i % 3 == 0)
                    {
                        await cluster.Client.GetGrain<IAccount>(accounts[from]).Add(1);
                        Interlocked.Increment(ref counted[from]);
                    }
                    else if (i % 3 == 1)
                    {
                        await cluster.Client.GetGrain<ITeller>($"g{n}").Transfer(accounts[from], accounts[(from + 1) % accounts.Length], 1);
                        Interlocked.Decrement(ref counted[from]);
                        Interlocked.Increment(ref counted[(from + 1) % accounts.Length]);
                    }
                    else
                    {
                        Assert.Equal($"g{from}: hi", await cluster.Client.GetGrain<ICaller>($"g{n}").Relay($"g{from}", "hi"));
                    }

                    Interlocked.Increment(ref progress);
                }
                catch (Exception exception)
                {
                    lock (failures) failures.Add(exception);
                }
            }
        })).ToArray();
        for (var round = 0; round < 6; round++)
        {
            // Between any two moves there is some load, however long the machine takes for the one or the other.
            var before = Volatile.Read(ref progress);
            await cluster.Silos[round % 3].StopAsync();
            await cluster.Silos[round % 3].RestartAsync();
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref progress) >= before + 20, TimeSpan.FromMinutes(2)), "Nothing gets on after a move.");
        }

        await stop.CancelAsync();
        await Task.WhenAll(load).WaitAsync(TimeSpan.FromMinutes(2));
        Assert.Empty(failures);
        for (var i = 0; i < accounts.Length; i++) Assert.Equal(100 + counted[i], await cluster.Client.GetGrain<IAccount>(accounts[i]).Get());
    }
}
