using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>One of two silos can't write its log for a time.</summary>
public sealed class LogOutageTests
{
    private const string Cause = "There is no space left";
    private readonly LogLines _lines = new("Polyjuice.Engine");

    [Fact]
    public async Task Callers_hear_at_once_which_log_it_is_and_why_and_go_on_as_soon_as_it_is_written()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            // What is in the log's hands waits for as long as the machine may stand still. It is there at all only if
            // the log has promised its timestamp before it is full: if not, it is the promise that waits.
            options.ConfigureEngine = engine =>
                (engine.TransactionTimeoutMicroseconds, engine.CeilingAheadMicroseconds) = (25_000_000, 3_000_000);
            options.ConfigureSilo = silo => silo.ConfigureLogging(logging => logging.AddProvider(_lines))
                .Services.AddHealthChecks().AddPolyjuice();
        });
        var (full, other) = (cluster.Silos[0], cluster.Silos[1]);
        long[] keys = [.. Enumerable.Range(0, 16).Select(key => (long)key)];
        foreach (var key in keys) await Account(key).Deposit(10);
        var here = keys.Where(key => full.Address.Equals(full.Engine.OwnerOf(Account(key).GetGrainId()))).ToArray();
        var elsewhere = keys.Except(here).First();

        full.Log.IsFull = true;
        var isSaid = _lines.NextAsync(LogLevel.Error);
        var inItsHands = Account(here[0]).Deposit(1);
        await isSaid;

        AssertSaysWhy(await Assert.ThrowsAsync<LogUnavailableException>(() => Account(here[1]).Deposit(1)));
        AssertSaysWhy(await Assert.ThrowsAsync<LogUnavailableException>(() => Account(here[0]).GetBalance()));

        // The transaction runs on the other silo.
        var teller = other.Services.GetRequiredService<IGrainFactory>().GetGrain<ITeller>(0);
        AssertSaysWhy(await Assert.ThrowsAsync<LogUnavailableException>(() => teller.Transfer(elsewhere, here[1], 1)));
        await Account(elsewhere).Deposit(1);

        var readiness = full.Engine.Readiness;
        Assert.False(readiness.IsReady);
        Assert.Equal((1, 1, 1), (readiness.Owned, readiness.Served, readiness.Unwritable));
        Assert.Contains("can't write 1 of its 1 logs; log partition ", readiness.ToString(), StringComparison.Ordinal);
        Assert.Contains(Cause, readiness.Problem, StringComparison.Ordinal);
        Assert.True(other.Engine.Readiness.IsReady, other.Engine.Readiness.ToString());
        var health = (await full.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries;
        Assert.Equal(HealthStatus.Degraded, health["polyjuice-ready"].Status);
        Assert.Equal(HealthStatus.Healthy, health["polyjuice-live"].Status);
        Assert.Contains(Cause, health["polyjuice-ready"].Description, StringComparison.Ordinal);

        // It goes on trying. A machine that stalls may have found out after two times.
        using (var patience = new CancellationTokenSource(TimeSpan.FromMinutes(2)))
        {
            while (full.Observed.Statistics!.AppendFailures <= 3) await Task.Delay(10, patience.Token);
        }

        full.Log.IsFull = false;
        await inItsHands;
        await Account(here[1]).Deposit(1);
        Assert.True(full.Engine.Readiness.IsReady, full.Engine.Readiness.ToString());
        Assert.Null(full.Engine.Readiness.Problem);
        Assert.All(
            await Task.WhenAll(new[] { here[0], here[1], elsewhere }.Select(key => Account(key).GetBalance())),
            balance => Assert.Equal(11, balance));

        // However often it was tried.
        Assert.Single(
            _lines.All,
            line => line.Level == LogLevel.Warning && line.Text.StartsWith("Append to ", StringComparison.Ordinal));
        Assert.Single(
            _lines.All, line => line.Level == LogLevel.Error && line.Text.Contains(Cause, StringComparison.Ordinal));
        Assert.Single(_lines.All, line => line.Text.Contains("takes appends again", StringComparison.Ordinal));

        IAccount Account(long key) => cluster.Grains.GetGrain<IAccount>(key);
    }

    private static void AssertSaysWhy(LogUnavailableException refusal)
    {
        Assert.Contains("log partition ", refusal.Cause, StringComparison.Ordinal);
        Assert.Contains(Cause, refusal.Cause, StringComparison.Ordinal);
        Assert.Contains(Cause, refusal.Message, StringComparison.Ordinal);
        Assert.NotNull(refusal.Grain);
    }
}
