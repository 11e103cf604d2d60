using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>A silo that leaves in good order while its log takes nothing.</summary>
public sealed class StopUnderFailingAppendsTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task It_ends_and_all_callers_hear_something(bool isAnswered)
    {
        var lines = new LogLines("Polyjuice.Engine");
        await using var cluster = await StartAsync(lines);
        var (stays, leaves) = (cluster.Silos[0], cluster.Silos[1]);
        var own = await OpenAsync(cluster, leaves);
        var commits = await FailAsync(
            leaves, lines, isAnswered, () => [.. own.Select(key => Account(stays, key).Deposit(1))]);

        await leaves.LeaveAsync().WaitAsync(s_patience);

        await JudgeAsync(stays, own, commits);
    }

    private static Task<PolyjuiceTestCluster> StartAsync(LogLines lines) => PolyjuiceTestCluster.StartAsync(options =>
    {
        options.ConfigureEngine = engine => engine.TransactionTimeoutMicroseconds = 25_000_000;
        options.ConfigureSilo = silo => silo.ConfigureLogging(logging => logging.AddProvider(lines));

        // Longer than the patience of the test: who hears nothing fails it.
        options.ResponseTimeout = 2 * s_patience;
    });

    /// <summary>Accounts that a silo owns, each with one.</summary>
    private static async Task<long[]> OpenAsync(PolyjuiceTestCluster cluster, TestSilo owner)
    {
        var own = new List<long>();
        for (var key = 0L; own.Count < 8; key++)
        {
            var account = cluster.Grains.GetGrain<IAccount>(key);
            if (!owner.Address.Equals(owner.Engine.OwnerOf(account.GetGrainId()))) continue;
            await account.Deposit(1);
            own.Add(key);
        }

        return [.. own];
    }

    /// <summary>Lets the log take nothing any more, and calls which want to commit there.</summary>
    /// <returns>Completes with the calls when the log has been asked.</returns>
    private static async Task<Task[]> FailAsync(TestSilo silo, LogLines lines, bool isAnswered, Func<Task[]> call)
    {
        var isSaid = lines.NextAsync(LogLevel.Error);
        if (isAnswered) silo.Log.IsFull = true;
        else silo.Log.Hold();
        var before = silo.Observed.Statistics!.Appends;
        var calls = call();
        if (isAnswered) await isSaid;
        using var patience = new CancellationTokenSource(s_patience);
        while (silo.Observed.Statistics!.Appends == before)
            await Task.Delay(TimeSpan.FromMilliseconds(10), patience.Token);
        return calls;
    }

    /// <summary>All have heard something, and who was told that it has committed finds it.</summary>
    private static async Task JudgeAsync(TestSilo stays, long[] accounts, Task[] commits)
    {
        var heard = await Task.WhenAll(commits.Select(call => Record.ExceptionAsync(() => call))).WaitAsync(s_patience);
        Assert.DoesNotContain(heard, exception => exception is TimeoutException);
        for (var i = 0; i < accounts.Length; i++)
        {
            var balance = await Account(stays, accounts[i]).GetBalance();
            Assert.InRange(balance, heard[i] is null ? 2 : 1, 2);
        }
    }

    private static IAccount Account(TestSilo caller, long key) =>
        caller.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>(key);
}
