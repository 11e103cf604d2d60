using Polyjuice.Simulation.Events;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>What leaves the simulation is refused by an error that says what to do, and never just makes runs differ.</summary>
public sealed class EscapeTests : IDisposable
{
    private readonly SimulatedEmbeddedCluster _cluster = SimulatedTestCluster.Start();

    public void Dispose() => _cluster.Dispose();

    private IEscapingGrain Grain => _cluster.Client.GetGrain<IEscapingGrain>("bad");

    [Fact]
    public void Code_that_waits_for_a_real_timer_is_named()
    {
        var failure = Assert.Throws<SimulationFailedException>(() => _cluster.Run(() => Grain.WaitInRealTime()));
        Assert.Equal("stuck", failure.Kind);
        Assert.Contains("EscapingGrain/bad", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Task.Delay(time, timeProvider)", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void So_is_code_inside_a_transaction_although_its_engine_keeps_ticking()
    {
        var failure = Assert.Throws<SimulationFailedException>(() => _cluster.Run(() => Grain.WaitInRealTimeInsideTransaction()));
        Assert.Equal("stuck", failure.Kind);
        Assert.Contains("EscapingGrain/bad", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Code_that_waits_for_nothing_at_all_is_named()
    {
        var failure = Assert.Throws<SimulationFailedException>(() => _cluster.Run(() => Grain.WaitForNothing()));
        Assert.Equal("stuck", failure.Kind);
    }

    [Fact]
    public void A_client_that_waits_for_a_real_timer_is_named()
    {
        var failure = Assert.Throws<SimulationFailedException>(() => _cluster.Run(() => Task.Delay(TimeSpan.FromDays(1))));
        Assert.Equal("stuck", failure.Kind);
        Assert.Contains("the client waits", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Code_on_the_thread_pool_ends_the_run()
    {
        // The pool's thread may be noticed at once, or the simulation finds first that nothing else is going on.
        var failure = Assert.Throws<SimulationFailedException>(() => _cluster.Run(async () =>
        {
            while (true) await Grain.RunOnThePool();
        }));
        Assert.Matches("^(escaped|stuck)$", failure.Kind);
        Assert.Contains("Task.Run", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Code_that_goes_on_outside_of_its_turn_ends_the_run()
    {
        var failure = Assert.Throws<SimulationFailedException>(() => _cluster.Run(() => Grain.LeaveTheTurn()));
        Assert.Matches("^(escaped|stuck)$", failure.Kind);
        Assert.Contains("ConfigureAwait(false)", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_thread_that_the_simulation_starts_is_noticed()
    {
        var failure = Assert.Throws<SimulationFailedException>(() => _cluster.Run(() =>
        {
            var thread = new Thread(static () => { });
            thread.Start();
            thread.Join();
            return Task.CompletedTask;
        }));
        Assert.Equal("escaped", failure.Kind);
    }

    [Fact]
    public void A_simulation_is_not_driven_from_within()
    {
        Assert.Throws<InvalidOperationException>(() => _cluster.Run(() =>
        {
            _cluster.RunFor(TimeSpan.FromSeconds(1));
            return Task.CompletedTask;
        }));
    }

    [Fact]
    public void A_client_that_never_ends_is_stopped_by_the_bound()
    {
        using var cluster = SimulatedTestCluster.Start(simulation: new SimulationOptions { RunMax = 2_000_000 });
        var failure = Assert.Throws<SimulationFailedException>(() => cluster.Run(async () =>
        {
            while (true) await cluster.Client.GetGrain<IClockGrain>("a").Wait(TimeSpan.FromMilliseconds(100));
        }));
        Assert.Equal("endless", failure.Kind);
        Assert.Contains("IClockGrain.Wait", failure.Message, StringComparison.Ordinal);
    }
}
