using System.Diagnostics;
using Polyjuice.Execution;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Testing;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// Runs a workload's grains on real silos under faults and changing tables, and judges the run: every operation ends, the cluster is served again once faults have stopped (I4), and the workload's
/// invariant holds by what clients were told, before and after every silo has crashed and only the logs are left (I1, I3).
/// </summary>
public sealed class ChaosRun
{
    // Orleans loses what is under way when a connection breaks, and whoever waits for that stands in the way of others.
    private static readonly TimeSpan _responseTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan _calmMax = TimeSpan.FromMinutes(1);

    // The longest that anything of before may stand in the way: a transaction's time, and that of the calls that it
    // still waits for.
    private static readonly TimeSpan _answerMax =
        TimeSpan.FromMicroseconds(new EngineOptions().TransactionTimeoutMicroseconds) + (2 * _responseTimeout);
    private static readonly TimeSpan _answerInterval = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan _swapInterval = TimeSpan.FromMilliseconds(300);

    private readonly ChaosCase _case;
    private readonly PolyjuiceTestCluster _cluster;
    private readonly ClientLoop _loop;
    private readonly IWorkload _workload;
    private readonly WorkloadCluster _view;
    private readonly long[] _outcomes = new long[Enum.GetValues<OperationOutcome>().Length];
    private long _begun;
    private int _swaps;

    private ChaosRun(ChaosCase run, PolyjuiceTestCluster cluster, ClientLoop loop)
    {
        _case = run;
        _cluster = cluster;
        _loop = loop;
        _workload = run.Workload.Create(run.Parameters);
        var partitions = run.Partitions == 0 ? run.Silos : run.Partitions;
        _view = new WorkloadCluster(
            cluster.Grains, grain => Hosting.StableHash.Partition(global::Orleans.GrainExtensions.GetGrainId(grain).ToString(), partitions) % run.Silos, run.Silos);
    }

    private long Committed => _outcomes[(int)OperationOutcome.Committed];

    /// <summary>Runs one case to its end.</summary>
    /// <param name="run">What to run.</param>
    /// <param name="cancellationToken">Ends it early: what has been done by then is judged.</param>
    /// <exception cref="ClusterRunException">Something is broken. The message says what, by which faults, and where the evidence is.</exception>
    public static async Task<ChaosResult> RunAsync(ChaosCase run, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(run);
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = run.Silos;
            options.Partitions = run.Partitions;
            options.Seed = run.Seed;
            options.PolicyCompiler = run.Policy;
            options.ResponseTimeout = _responseTimeout;
            if (run.EvidenceFolder is { } folder) options.EvidenceFolder = folder;
        });
        using var loop = new ClientLoop();
        ChaosResult? result = null;
        await cluster.KeepOnFailureAsync(async () => result = await new ChaosRun(run, cluster, loop).RunAsync(cancellationToken));
        return result!;
    }

    private async Task<ChaosResult> RunAsync(CancellationToken cancellationToken)
    {
        await _loop.RunAsync(() => _workload.LoadAsync(_view, WorkloadVariant.Transactional));
        _cluster.Faults = _case.Faults;
        var ledger = _case.Faults is null ? null : _cluster.FaultLedger;
        using var over = new CancellationTokenSource();
        var swapping = _case.Policy is null ? SwapAsync(over.Token) : Task.CompletedTask;
        try
        {
            var clients = _loop.RunAsync(() => Task.WhenAll(Enumerable.Range(0, _case.Clients).Select(client => ClientAsync(client, cancellationToken))));
            await clients.WaitAsync(_case.Operations is null ? _case.Time : Timeout.InfiniteTimeSpan, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await _cluster.SettleAsync();
            await clients;
        }
        finally
        {
            await over.CancelAsync();
            await swapping;
        }

        RequireCommits(cancellationToken);
        await JudgeAsync("when faults had stopped");
        var statistics = _cluster.Statistics;
        await CrashAllAsync();
        return new ChaosResult(_outcomes, await JudgeAsync("after every silo had crashed"), ledger, statistics, _swaps);
    }

    private async Task ClientAsync(int number, CancellationToken cancellationToken)
    {
        var client = _workload.CreateClient(_view, new ClientSettings(WorkloadVariant.Transactional, _case.Theta, BenchmarkRandom.Derive((ulong)_case.Seed, (ulong)number), number));
        var began = Stopwatch.GetTimestamp();
        while (!cancellationToken.IsCancellationRequested && (_case.Operations is { } most ? _begun++ < most : HasTime(Stopwatch.GetElapsedTime(began))))
            _outcomes[(int)await client.Choose().RunAsync()]++;
    }

    private bool HasTime(TimeSpan elapsed) => elapsed < _case.Time || (Committed < _case.CommitsMin && elapsed < _case.Time + _calmMax);

    // I4: without faults, what clients begin commits.
    private void RequireCommits(CancellationToken cancellationToken)
    {
        if (Committed < _case.CommitsMin && _case.Operations is null && !cancellationToken.IsCancellationRequested)
            throw new InvalidOperationException($"Of {_case.CommitsMin} operations {Committed} have committed, {_calmMax.TotalSeconds} s after faults had stopped.");
    }

    // Silos that have just joined run under their own table for a while: mixtures must be safe, too.
    private async Task SwapAsync(CancellationToken over)
    {
        var random = new Random(_case.Seed);
        while (!over.IsCancellationRequested)
        {
            IPolicyCompiler policy = random.Next(2) == 0 ? BuiltinPolicies.All[random.Next(BuiltinPolicies.All.Count)] : new RandomPolicy((ulong)random.NextInt64());
            foreach (var silo in _cluster.Silos)
            {
                try
                {
                    silo.Policies.Swap(policy);
                }
                catch (ObjectDisposedException)
                {
                    // It has just ended.
                }
            }

            _swaps++;
            await Task.Delay(_swapInterval, over).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task CrashAllAsync()
    {
        await Task.WhenAll(_cluster.Silos.Select(silo => silo.CrashAsync()));
        await Task.WhenAll(Enumerable.Range(0, _case.Silos).Select(_ => _cluster.StartSiloAsync()));
        await _cluster.WhenServedAsync();
    }

    private async Task<InvariantCheck> JudgeAsync(string when)
    {
        // What a client has given up may still commit, in the midst of a check that reads each grain in a transaction
        // of its own.
        await _cluster.WhenIdleAsync(_calmMax);
        var check = await CheckAsync();
        return check.Holds
            ? check
            : throw new InvalidOperationException($"{_case.Workload.Name}, {when}: {check.Description}");
    }

    // Orleans loses calls with a connection, and rejects a new call to a grain together with one that has expired on
    // its way there. Both pass, once nothing goes wrong any more; what does not pass is a failure (I4).
    private async Task<InvariantCheck> CheckAsync()
    {
        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                InvariantCheck? check = null;
                await _loop.RunAsync(async () => check = await _workload.CheckAsync(_view, WorkloadVariant.Transactional));
                return check!;
            }
            catch (Exception exception) when (
                CallOutcomes.Of(exception).Outcome != CallOutcome.Refused && Stopwatch.GetElapsedTime(began) < _answerMax)
            {
                await Task.Delay(_answerInterval);
            }
        }
    }
}
