using System.Diagnostics;
using Orleans.Runtime;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Execution;
using Smallbank.Grains;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>One arm under one case: a new cluster, accounts, a warm-up, and the seconds that count.</summary>
internal static class Measurement
{
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan s_openInterval = TimeSpan.FromMilliseconds(100);

    // What Polyjuice's rows put off from the opening of accounts, outcomes and then what may be forgotten, is not to be stored while others are measured.
    private static readonly TimeSpan s_linger = TimeSpan.FromMicroseconds(2.2 * new EngineOptions().RowLingerMicroseconds);

    private static int s_port = 21_000 + (Environment.ProcessId % 500);

    /// <summary>A port that no cluster of this process has had, with room for a cluster's silos.</summary>
    public static int NextPort(BenchmarkCase parameters) => s_port += 2 * parameters.Silos;

    public static async Task<Result> RunAsync(BenchmarkCase parameters, Arm arm, double seconds, int round, CancellationToken cancellationToken)
    {
        await using var cluster = await BankCluster.StartAsync(parameters, arm, NextPort(parameters));
        var grains = cluster.Grains;
        await Parallel.ForAsync(0, parameters.Accounts, new ParallelOptions { MaxDegreeOfParallelism = 32, CancellationToken = cancellationToken }, async (key, _) => await OpenAsync(grains, arm, key));
        if (arm is { IsInRows: true, IsOrleans: false }) await Task.Delay(s_linger, cancellationToken);
        cluster.BeginDelay();
        var keys = new ZipfianGenerator(parameters.Accounts, parameters.Theta, 7);
        BankClient[] callers = [.. Enumerable.Range(0, parameters.Clients).Select(i => new BankClient(grains, parameters, arm, keys, new BenchmarkRandom(BenchmarkRandom.Derive((ulong)round + 1, (ulong)i))))];
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task[] running = [.. callers.Select(caller => Task.Run(() => caller.RunAsync(stop.Token), CancellationToken.None))];
        await Task.Delay(TimeSpan.FromSeconds(Math.Min(5, seconds / 2)), cancellationToken);
        foreach (var caller in callers) caller.IsMeasuring = true;
        var cpu = Process.GetCurrentProcess().TotalProcessorTime;
        var (calls, bytes) = (cluster.StorageCalls, GC.GetTotalAllocatedBytes());
        var watch = Stopwatch.StartNew();
        await Task.Delay(TimeSpan.FromSeconds(seconds), cancellationToken);
        foreach (var caller in callers) caller.IsMeasuring = false;
        var elapsed = watch.Elapsed.TotalSeconds;
        cpu = Process.GetCurrentProcess().TotalProcessorTime - cpu;
        (calls, bytes) = (cluster.StorageCalls - calls, GC.GetTotalAllocatedBytes() - bytes);
        stop.Cancel();

        // A transaction that is stuck behind locks ends with its cluster.
        await Task.WhenAny(Task.WhenAll(running), Task.Delay(s_stopTimeout, CancellationToken.None));
        var committed = callers.Sum(caller => caller.Committed);
        var latencies = callers.SelectMany(caller => caller.Latencies.ToArray()).Order().ToArray();
        double Each(double all) => all / Math.Max(1, committed);
        double At(double quantile) => latencies.Length == 0 ? 0 : latencies[(int)((latencies.Length - 1) * quantile)];
        return new Result(
            parameters.Workload, parameters.Theta, parameters.Clients, parameters.Silos, parameters.StorageMilliseconds, arm.Name, round, seconds,
            committed / elapsed, callers.Sum(caller => caller.Failed) / elapsed, At(0.5), At(0.99), Each(cpu.TotalMicroseconds), parameters.StorageFormat, Each(calls), Each(bytes));
    }

    // Orleans' engine gives an account up now and then when it is opened beside others, and silos that have only just started may not have heard of each other.
    private static async Task OpenAsync(global::Orleans.IGrainFactory grains, Arm arm, int key)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                if (arm.IsPlain) await grains.GetGrain<IPlainAccountGrain>(key).Open(1_000_000, 1_000_000);
                else await grains.GetGrain<IAccountGrain>(key).Open(1_000_000, 1_000_000);
                return;
            }
            catch (Exception exception) when (attempt < 20 && exception is OrleansException or TimeoutException)
            {
                await Task.Delay(s_openInterval);
            }
        }
    }
}
