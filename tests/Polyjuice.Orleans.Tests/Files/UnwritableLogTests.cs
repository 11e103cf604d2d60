using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.GrainCode;
using Polyjuice.Testing;
using Polyjuice.Tests.Shared;
using Xunit.Abstractions;

namespace Polyjuice.Orleans.Tests.Files;

/// <summary>
/// A log on a disk that is full, and has room again, under the engine's default intervals. How long callers wait for
/// the reason, and for the first commit afterwards, is in the test's output.
/// </summary>
[RequiresMount]
public sealed class UnwritableLogTests(ITestOutputHelper output) : IDisposable
{
    private readonly SmallDisk _disk = new(8_192);

    public void Dispose() => _disk.Dispose();

    [ConditionalFact]
    public async Task Callers_hear_that_the_disk_is_full_and_commit_as_soon_as_it_has_room()
    {
        var lines = new LogLines("Polyjuice.Engine");
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = 1;
            options.DataFolder = Path.Combine(_disk.Path, "data");

            // What is in the log's hands waits for as long as the machine may stand still.
            options.ConfigureEngine = engine => engine.TransactionTimeoutMicroseconds = 25_000_000;
            options.ConfigureSilo = silo => silo.ConfigureLogging(logging => logging.AddProvider(lines));
        });
        await Task.WhenAll(Wallet(1).Add(1), Wallet(2).Add(1));
        var isSaid = lines.NextAsync(LogLevel.Error);
        _disk.Fill();
        var full = Stopwatch.GetTimestamp();

        // What was written ahead at the log's end takes some.
        var inItsHands = WriteUntilStuckAsync(Wallet(1), isSaid);
        await isSaid;
        var refusal = await Assert.ThrowsAsync<LogUnavailableException>(() => Wallet(2).Add(1));
        output.WriteLine(
            $"Refused {Stopwatch.GetElapsedTime(full).TotalMilliseconds:0} ms after the disk was full: "
            + $"{refusal.Message}");
        Assert.Contains(_disk.Path, refusal.Cause, StringComparison.Ordinal);
        Assert.Contains("make room", refusal.Cause, StringComparison.Ordinal);
        var begin = Stopwatch.GetTimestamp();
        await Assert.ThrowsAsync<LogUnavailableException>(() => Wallet(2).Get());
        output.WriteLine(
            $"A read-only call was refused after {Stopwatch.GetElapsedTime(begin).TotalMilliseconds:0} ms.");
        Assert.Contains("is full", cluster.Silos[0].Engine.Readiness.ToString(), StringComparison.Ordinal);

        var room = Stopwatch.GetTimestamp();
        _disk.MakeRoom();
        await inItsHands;
        output.WriteLine(
            $"What was in the log's hands has committed {Stopwatch.GetElapsedTime(room).TotalMilliseconds:0} ms after "
            + "there was room.");
        await Wallet(2).Add(1);
        output.WriteLine(
            $"A new transaction has committed {Stopwatch.GetElapsedTime(room).TotalMilliseconds:0} ms after "
            + "there was room.");
        Assert.True(cluster.Silos[0].Engine.Readiness.IsReady);

        IWallet Wallet(int number) => cluster.Grains.GetGrain<IWallet>($"full{number}");
    }

    /// <summary>Completes with the call that was under way when the log was found to be out.</summary>
    private static async Task WriteUntilStuckAsync(IWallet wallet, Task isOut)
    {
        try
        {
            while (!isOut.IsCompleted) await wallet.Add(1);
        }
        catch (LogUnavailableException)
        {
            // The write that has failed was the log's own, between two calls, and this one came after it.
            await isOut;
        }
    }
}
