using System.Diagnostics;
using Polyjuice.Simulation.Network;

namespace Polyjuice.Embedded.Tests.Simulated;

public sealed class VirtualTimeTests : IDisposable
{
    private readonly SimulatedEmbeddedCluster _cluster = SimulatedTestCluster.Start();

    public void Dispose() => _cluster.Dispose();

    [Fact]
    public void A_delay_with_the_injected_time_provider_takes_virtual_time_only()
    {
        var watch = Stopwatch.StartNew();
        var before = _cluster.Elapsed;
        for (var i = 0; i < 30; i++) _cluster.Run(() => _cluster.Client.GetGrain<IClockGrain>("a").Wait(TimeSpan.FromSeconds(20)));
        Assert.InRange(_cluster.Elapsed - before, TimeSpan.FromSeconds(30 * 20), TimeSpan.FromSeconds(30 * 21));
        Assert.True(watch.Elapsed < TimeSpan.FromSeconds(30 * 20), $"10 virtual minutes took {watch.Elapsed}");
    }

    [Fact]
    public void Clients_wait_in_virtual_time_too()
    {
        var before = _cluster.Elapsed;
        _cluster.Run(() => Task.Delay(TimeSpan.FromHours(0.1), _cluster.TimeProvider));
        Assert.InRange(_cluster.Elapsed - before, TimeSpan.FromMinutes(6), TimeSpan.FromMinutes(6.1));
    }

    [Fact]
    public void Grain_timers_tick_in_virtual_time()
    {
        var ticks = _cluster.Run(() => _cluster.Client.GetGrain<IClockGrain>("a").TicksWithin(TimeSpan.FromSeconds(10.5), TimeSpan.FromSeconds(1)));
        Assert.Equal(10, ticks);
    }

    [Fact]
    public void Each_silo_has_a_clock_of_its_own()
    {
        using var skewed = SimulatedTestCluster.Start(simulation: new SimulationOptions { ClockSkewMax = 10_000 });
        var times = skewed.Run(() => Task.WhenAll(Enumerable.Range(0, 20).Select(key => skewed.Client.GetGrain<IClockGrain>($"{key}").Now())));
        var spread = times.Max() - times.Min();
        Assert.InRange(spread, TimeSpan.FromMilliseconds(1.5), TimeSpan.FromMilliseconds(25));
    }

    [Fact]
    public void A_call_that_is_never_answered_times_out_in_virtual_time()
    {
        var home = _cluster.Silos.First(silo => silo.IsRunning);
        _cluster.StartFaults(SimulatedFaults.None with { Network = new NetworkProfile { Loss = 1 } });
        Assert.Throws<TimeoutException>(() => _cluster.Run(() => _cluster.Client.GetGrain<IClockGrain>("a").Now()));
        Assert.True(home.IsRunning);
        Assert.InRange(_cluster.Elapsed, TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(31));
    }

    [Fact]
    public void Time_can_be_let_pass_without_a_client()
    {
        var before = _cluster.Elapsed;
        _cluster.RunFor(TimeSpan.FromMinutes(1));
        Assert.Equal(TimeSpan.FromMinutes(1), _cluster.Elapsed - before);
    }
}
