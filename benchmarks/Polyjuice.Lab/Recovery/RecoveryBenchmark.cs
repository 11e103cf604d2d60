using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads;
using Polyjuice.Storage;
using Polyjuice.Testing;
using Smallbank.Workload;

namespace Polyjuice.Lab.Tool.Recovery;

/// <summary>
/// How long a silo needs until it serves a partition: a log of so many records, made by Smallbank's transactions on
/// files, is read when a silo starts, from its beginning and from a checkpoint. The money must be there afterwards.
/// </summary>
internal sealed class RecoveryBenchmark(RecoveryPlan plan, TextWriter output)
{
    private const int RecordsPerTransaction = 2;

    private const long CheckpointBytesMax = 8L << 20;
    private readonly IWorkload _workload = SmallbankWorkload.Smallbank.Create(
        new WorkloadParameters(plan.Accounts, plan.Seed));

    /// <summary>Runs it. Whether everything was there, and every recovery was as fast as it must be.</summary>
    public async Task<bool> RunAsync(CancellationToken cancellationToken)
    {
        var report = await FillAsync(cancellationToken);
        var inspector = await LogInspector.OpenFilesAsync(plan.Folder, cancellationToken);
        Say(
            $"{report.Records:N0} records of {plan.Accounts:N0} customers in {report.End:N0} batches, {report.Bytes / 1048576.0:N0} MiB");
        var slowest = await RecoverAsync("from the whole log", long.MaxValue >> 24, cancellationToken);
        await CheckpointAsync(Math.Clamp(report.Bytes / 2, 1, CheckpointBytesMax), cancellationToken);
        report = await inspector.VerifyAsync(0, cancellationToken);
        Say(
            $"checkpoint of {report.Checkpoint:N0} batches: {report.CheckpointRecords:N0} records, {report.CheckpointBytes / 1048576.0:N1} MiB");
        var fromCheckpoint = await RecoverAsync("from the checkpoint", long.MaxValue >> 24, cancellationToken);
        slowest = slowest > fromCheckpoint ? slowest : fromCheckpoint;
        if (slowest <= plan.Most) return true;
        Say($"Too slow: at most {plan.Most.TotalSeconds:0.#} s was asked for.");
        return false;
    }

    /// <summary>Some transactions log nothing, so it is counted and gone on until there are enough records.</summary>
    private async Task<LogReport> FillAsync(CancellationToken cancellationToken)
    {
        await using var cluster = await StartAsync(long.MaxValue >> 24);
        var view = ViewOf(cluster);
        await cluster.Clients.RunAsync(() => _workload.LoadAsync(view, WorkloadVariant.Transactional));
        var inspector = await LogInspector.OpenFilesAsync(plan.Folder, cancellationToken);
        var watch = Stopwatch.StartNew();
        var said = TimeSpan.Zero;
        var clients = Enumerable.Range(0, plan.Clients)
            .Select(
                number => _workload.CreateClient(
                    view, new ClientSettings(WorkloadVariant.Transactional, 0, plan.Seed + (ulong)number)))
            .ToList();
        long left, all = 0;
        while (true)
        {
            var report = await inspector.VerifyAsync(0, cancellationToken);
            if (report.Records >= plan.Records) return report;
            left = Math.Max(plan.Clients, (plan.Records - report.Records) / RecordsPerTransaction);
            all += left;
            await cluster.Clients.RunAsync(() => Task.WhenAll(clients.Select(ClientAsync)));
        }

        async Task ClientAsync(IWorkloadClient client)
        {
            while (left-- > 0)
            {
                cancellationToken.ThrowIfCancellationRequested();
                await client.RunOneAsync();
                if (watch.Elapsed - said < TimeSpan.FromSeconds(2)) continue;
                said = watch.Elapsed;
                Say($"filling: {all - left:N0} of {all:N0} transactions");
            }
        }
    }

    /// <summary>A start, and what the accounts hold then.</summary>
    private async Task<TimeSpan> RecoverAsync(string how, long checkpointBytes, CancellationToken cancellationToken)
    {
        var start = Stopwatch.StartNew();
        await using var cluster = await StartAsync(checkpointBytes);
        start.Stop();
        cancellationToken.ThrowIfCancellationRequested();
        var check = await CheckAsync(cluster);
        Say(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{how}: start to served {start.Elapsed.TotalSeconds:0.00} s; {check.Description}"));
        if (!check.Holds)
            throw new InvalidOperationException(
                $"What was recovered is not what was acknowledged: {check.Description}");
        return start.Elapsed;
    }

    /// <summary>Has one made, as an owner makes them.</summary>
    private async Task CheckpointAsync(long bytes, CancellationToken cancellationToken)
    {
        await using var cluster = await StartAsync(bytes);
        while (cluster.Silos.Statistics.Checkpoints == 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await cluster.Clients.RunAsync(
                () => _workload.CreateClient(
                    ViewOf(cluster), new ClientSettings(WorkloadVariant.Transactional, 0, plan.Seed)).RunOneAsync());
        }
    }

    private async Task<InvariantCheck> CheckAsync(OneSilo cluster)
    {
        var check = new InvariantCheck(false, "not checked");
        await cluster.Clients.RunAsync(
            async () => check = await _workload.CheckAsync(ViewOf(cluster), WorkloadVariant.Transactional));
        return check;
    }

    private static WorkloadCluster ViewOf(OneSilo cluster) => new(cluster.Silos.Grains, _ => 0, 1);

    // Without flushes: what is measured is reading, and the machine does not die meanwhile.
    private async Task<OneSilo> StartAsync(long checkpointBytes)
    {
        var logs = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = plan.Folder, NewPartitions = 1, Flush = false }, NullLogger.Instance,
            CancellationToken.None);
        var silos = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = 1;
            options.Logs = logs;
            options.ConfigureEngine = engine => engine.CheckpointBytes = checkpointBytes;
        });
        return new OneSilo(silos, logs, new ClientLoop());
    }

    private void Say(string line) => output.WriteLine(line);
}

/// <summary>A silo on files, and its clients' thread.</summary>
internal sealed record OneSilo(
    PolyjuiceTestCluster Silos, SegmentedLogStore Logs, ClientLoop Clients) : IAsyncDisposable
{
    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Silos.DisposeAsync();
        await Logs.DisposeAsync();
        Clients.Dispose();
    }
}

/// <summary>What to recover.</summary>
/// <param name="Records">
/// About how many records the log shall have: a prepare and a commit for each transaction.
/// </param>
/// <param name="Accounts">Customers, each of whom has two states.</param>
/// <param name="Clients">Who fill the log.</param>
/// <param name="Folder">Where it is; must not be there.</param>
/// <param name="Seed">Of all choices.</param>
/// <param name="Most">The longest that a recovery may take.</param>
internal sealed record RecoveryPlan(long Records, int Accounts, int Clients, string Folder, ulong Seed, TimeSpan Most);
