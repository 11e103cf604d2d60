using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Policies;
using Polyjuice.Testing;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// Runs a workload's grains on real silos under faults and changing tables, and judges the run: every operation ends in
/// the time that its caller has for it, all clients are served again once faults have stopped (I4), and the workload's
/// invariant holds by what clients were told, before and after every silo has crashed and only the logs are left (I1,
/// I3).
/// </summary>
internal sealed class ChaosRun
{
    private const int CalmCommits = 2;
    private const long CheckpointBytes = 256 << 10;

    private static readonly TimeSpan _calmMax = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan _transactionTimeout = TimeSpan.FromMicroseconds(
        new EngineOptions().TransactionTimeoutMicroseconds);
    private static readonly TimeSpan _answerInterval = TimeSpan.FromMilliseconds(50);

    private readonly ChaosCase _case;
    private readonly PolyjuiceTestCluster _cluster;
    private readonly ClientLoop _loop;
    private readonly IWorkload _workload;
    private readonly WorkloadCluster _view;
    private readonly CallTimes _times;
    private readonly AwakeTime _calm;
    private readonly ChaosCoverage _coverage = new();
    private readonly ChaosCoverage _tables = new();
    private readonly long[] _outcomes = new long[Enum.GetValues<OperationOutcome>().Length];
    private readonly Dictionary<TestSilo, EngineStatistics> _statistics = [];
    private readonly int[] _calmCommits;
    private readonly long[][] _calmOutcomes;
    private long _begun;
    private int _swaps;
    private long _calmSince;
    private bool _isOver;
    private TimeSpan _recovery;

    private ChaosRun(ChaosCase run, PolyjuiceTestCluster cluster, ClientLoop loop)
    {
        _case = run;
        _cluster = cluster;
        _loop = loop;
        _workload = run.Workload.Create(run.Parameters);
        _times = new(run.ResponseTimeout, _transactionTimeout);
        _calm = new(_times);
        _calmCommits = new int[run.Clients];
        _calmOutcomes = [.. _calmCommits.Select(_ => new long[_outcomes.Length])];
        var partitions = run.Partitions == 0 ? run.Silos * run.EnginesPerSilo : run.Partitions;
        _view = new WorkloadCluster(
            cluster.Grains,
            grain => cluster.Groups.PartitionOf(
                global::Orleans.GrainExtensions.GetGrainId(grain).ToString(), partitions) % run.Silos,
            run.Silos)
        {
            Transactions = cluster.Transactions,
        };
    }

    private long Committed => _outcomes[(int)OperationOutcome.Committed];

    // The longest that anything of before may stand in the way: a transaction's time, and that of the calls that it
    // still waits for.
    private TimeSpan AnswerMax => _transactionTimeout + (2 * _case.ResponseTimeout);

    /// <summary>Runs one case to its end.</summary>
    /// <param name="run">What to run.</param>
    /// <param name="cancellationToken">Ends it early: what has been done by then is judged.</param>
    /// <exception cref="ClusterRunException">
    /// Something is broken. The message says what, by which faults, and where the evidence is.
    /// </exception>
    public static async Task<ChaosResult> RunAsync(ChaosCase run, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(run);
        var folder = run.Logs == ChaosLogs.Files ? Directory.CreateTempSubdirectory("polyjuice-chaos-") : null;
        try
        {
            await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
            {
                (options.Silos, options.EnginesPerSilo) = (run.Silos, run.EnginesPerSilo);
                options.Partitions = run.Partitions;
                options.Seed = run.Seed;
                options.PolicyCompiler = run.Policy;
                options.ResponseTimeout = run.ResponseTimeout;
                options.AppendDelay = run.AppendDelay;
                options.NetworkDelay = run.NetworkDelay;
                options.DataFolder = folder?.FullName;
                options.ConfigureEngine = engine =>
                {
                    // Checkpoints and dry runs must happen, too.
                    engine.CheckpointBytes = CheckpointBytes;
                    engine.DryRunsByDefault = true;
                };
                if (run.EvidenceFolder is { } evidence) options.EvidenceFolder = evidence;
            });
            using var loop = new ClientLoop();
            ChaosResult? result = null;
            await cluster.KeepOnFailureAsync(
                async () => result = await new ChaosRun(run, cluster, loop).RunAsync(cancellationToken));
            return result!;
        }
        finally
        {
            folder?.Delete(recursive: true);
        }
    }

    private async Task<ChaosResult> RunAsync(CancellationToken cancellationToken)
    {
        await _loop.RunAsync(() => _workload.LoadAsync(_view, WorkloadVariant.Transactional));
        _cluster.Faults = _case.Faults;
        var ledger = _case.Faults is null ? null : _cluster.FaultLedger;
        using var over = new CancellationTokenSource();
        var watching = _loop.RunAsync(() => _times.WatchAsync(over.Token));
        var swapping = SwapAsync(over.Token);
        try
        {
            var clients = _loop.RunAsync(
                () => Task.WhenAll(
                    Enumerable.Range(0, _case.Clients).Select(client => ClientAsync(client, cancellationToken))));
            await clients.WaitAsync(
                _case.Operations is null ? _case.Time : Timeout.InfiniteTimeSpan, CancellationToken.None)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await SettleAsync();
            await clients;
        }
        finally
        {
            await over.CancelAsync();
            await Task.WhenAll(swapping, watching);
        }

        RequireCommits(cancellationToken);
        RequireTimes();
        await RequireFencedAsync(ledger);
        await JudgeAsync("when faults had stopped");
        var statistics = _cluster.Statistics;
        await CrashAllAsync();
        var check = await JudgeAsync("after every silo had crashed");
        Cover(ledger);
        return new ChaosResult(_outcomes, check, ledger, statistics, _swaps, _coverage)
        {
            LongestCall = _times.Longest, Recovery = _recovery
        };
    }

    private async Task SettleAsync()
    {
        try
        {
            await _cluster.SettleAsync();
            _calmSince = Stopwatch.GetTimestamp();
        }
        catch
        {
            _isOver = true;
            throw;
        }
    }

    private async Task ClientAsync(int number, CancellationToken cancellationToken)
    {
        var client = _workload.CreateClient(
            _view,
            new ClientSettings(
                WorkloadVariant.Transactional,
                _case.Theta,
                BenchmarkRandom.Derive((ulong)_case.Seed, (ulong)number),
                number));
        while (!cancellationToken.IsCancellationRequested && GoesOn(number))
        {
            var operation = client.Choose();
            var kind = _case.Workload.OperationTypes is { Count: > 0 } types
                ? types[operation.Type].Name
                : _case.Workload.Name;
            var isCalm = _calmSince != 0;
            var end = _times.Begin(operation.IsOneCall);
            var outcome = await operation.RunAsync();
            end($"{kind} of client {number}, {outcome.ToString().ToLowerInvariant()},");
            _outcomes[(int)outcome]++;
            if (isCalm) _calmOutcomes[number][(int)outcome]++;
            if (outcome == OperationOutcome.Committed)
                _coverage.Add(ChaosGroups.Transactions, $"{_case.Workload.Name}: {kind}");
            else
                _coverage.Add(
                    ChaosGroups.Others, $"{_case.Workload.Name}: {kind}, {outcome.ToString().ToLowerInvariant()}");
            if (outcome != OperationOutcome.Committed) continue;
            if (isCalm && _calmCommits[number]++ == 0) _recovery = Stopwatch.GetElapsedTime(_calmSince);
        }
    }

    // Beyond the end of faults, until each client has committed something again.
    private bool GoesOn(int number)
    {
        if (_isOver) return false;
        if (_case.Operations is { } most) return _begun++ < most;
        if (_calmSince == 0) return true;
        var elapsed = _calm.Since(_calmSince);
        return (_calmCommits[number] < CalmCommits && elapsed < AnswerMax)
            || (Committed < _case.CommitsMin && elapsed < _calmMax);
    }

    // I4: without faults, what clients begin commits.
    private void RequireCommits(CancellationToken cancellationToken)
    {
        if (_case.Operations is not null || cancellationToken.IsCancellationRequested) return;
        if (Committed < _case.CommitsMin)
            throw new InvalidOperationException(
                $"Of {_case.CommitsMin} operations {Committed} have committed, {_calmMax.TotalSeconds} s after faults "
                + "had stopped.");
        if (Array.FindIndex(_calmCommits, commits => commits < CalmCommits) is >= 0 and var client)
        {
            throw new InvalidOperationException(
                $"Client {client} has committed {_calmCommits[client]} of {CalmCommits} operations in "
                + $"{AnswerMax.TotalSeconds} s after faults had stopped. Of those that it began then: "
                + $"{Text(_calmOutcomes[client])}. Of all clients': "
                + $"{Text(Enumerable.Range(0, _outcomes.Length).Select(outcome => _calmOutcomes.Sum(one => one[outcome])))}. This process stood still for {_calm.Stalled.TotalSeconds:0.0} s more.");
        }

        static string Text(IEnumerable<long> outcomes) =>
            string.Join(
                ", ",
                outcomes.Select(
                    (count, outcome) => $"{count} {((OperationOutcome)outcome).ToString().ToLowerInvariant()}"));
    }

    private void RequireTimes()
    {
        if (_times.Late.Count > 0)
            throw new InvalidOperationException(
                $"Calls have outlived their time:{Environment.NewLine}{string.Join(Environment.NewLine, _times.Late)}");
    }

    // L1: who was taken for dead finds that out when it goes on, and ends.
    private async Task RequireFencedAsync(FaultLedger? ledger)
    {
        var deposed = ledger?.Entries.Where(entry => entry is { Kind: FaultKind.Deposition, Target: not null }).Select(
            entry => entry.Target!).ToHashSet()
            ?? [];
        var left = _cluster.Silos.Where(silo => deposed.Contains(silo.Name)).ToArray();
        try
        {
            await Task.WhenAll(left.Select(silo => silo.Ended)).WaitAsync(_calmMax);
        }
        catch (TimeoutException exception)
        {
            throw new InvalidOperationException(
                $"Of {string.Join(" and ", left)} the others believe that it is dead, and it has not ended "
                + $"{_calmMax.TotalSeconds} s after it has gone on.",
                exception);
        }

        if (deposed.Count > 0) _coverage.Add(ChaosGroups.Faults, ChaosGroups.Fenced, deposed.Count);
    }

    // Silos that have just joined run under their own table for a while: mixtures must be safe, too.
    private async Task SwapAsync(CancellationToken over)
    {
        var (round, since) = (new TableRound(_case.Seed), Committed);
        while (!over.IsCancellationRequested)
        {
            var (table, name) = _case.Policy is { } policy ? (policy, policy.Name) : round.Next();
            var isLearning = false;
            foreach (var silo in _cluster.Silos)
            {
                try
                {
                    if (_case.Policy is null) silo.Policies.Swap(table);
                    isLearning |= silo.Policies.Current.HasAdmissions;
                    if (silo.Observed.Statistics is { } statistics) _statistics[silo] = statistics;
                }
                catch (ObjectDisposedException)
                {
                    // It has just ended.
                }
            }

            if (_case.Policy is null) _swaps++;
            var time = isLearning && _case.LearningInterval > _case.SwapInterval
                ? _case.LearningInterval
                : _case.SwapInterval;
            await Task.Delay(time, over).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            var now = Committed;
            _tables.Add(ChaosGroups.Tables, name, now - since);
            since = now;
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
        if (!check.Holds && _workload is IWorkloadEvidence evidence) evidence.Save(_cluster.EvidenceFolder);
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
                await _loop.RunAsync(
                    async () => check = await _workload.CheckAsync(_view, WorkloadVariant.Transactional));
                return check!;
            }
            catch (Exception exception) when (
                CallOutcomes.Of(exception) != CallOutcome.Refused
                    && Stopwatch.GetElapsedTime(began) < AnswerMax)
            {
                await Task.Delay(_answerInterval);
            }
        }
    }

    private void Cover(FaultLedger? ledger)
    {
        _coverage.Add(_tables);
        _coverage.Add(ChaosGroups.Runs, ChaosGroups.Silos(_case.Silos));
        _coverage.Add(ChaosGroups.Runs, ChaosGroups.Logs(_case.Logs));
        if (_case.AppendDelay > TimeSpan.Zero) _coverage.Add(ChaosGroups.Runs, ChaosGroups.DelayedAppends);
        if (_case.NetworkDelay > TimeSpan.Zero) _coverage.Add(ChaosGroups.Runs, ChaosGroups.DelayedMessages);
        foreach (var fault in ledger?.Entries.Where(entry => entry.Target is not null) ?? [])
            Cover(fault);
        var all = EngineStatistics.Sum(_statistics.Values);
        foreach (var (name, count) in ChaosGroups.CountersOf(all)) _coverage.Add(ChaosGroups.Engines, name, count);
    }

    // The end of the run ends faults that would last longer.
    private void Cover(FaultEntry fault)
    {
        var isLong = fault.Duration >= ChaosGroups.LongPause;
        if (isLong && fault.At + fault.Duration <= _case.Time)
            _coverage.Add(ChaosGroups.Faults, ChaosGroups.Long(fault.Kind));
        if (!isLong) _coverage.Add(ChaosGroups.Faults, fault.Kind.ToString());
    }
}
