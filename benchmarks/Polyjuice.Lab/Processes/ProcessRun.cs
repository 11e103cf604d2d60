using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans;
using Orleans.Messaging;
using Polyjuice.Isolation;
using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Mixed;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>
/// Three silos as processes, and a client in this one, which notes what it is told. Processes are killed and stopped
/// while it goes on. Then everything that was acknowledged must be there, nothing may be half done, and what
/// transactions saw must have a serial order: once after the last fault, and again after all processes have been killed
/// and started.
/// </summary>
internal sealed class ProcessRun : IAsyncDisposable
{
    private const int CalmCommits = 2;
    private const int ComplaintsMax = 20;
    private const int StartsMax = 3;
    private static readonly TimeSpan _transactionTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan _progressMax = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan _look = TimeSpan.FromMilliseconds(20);

    private readonly ProcessCase _case;
    private readonly AzuriteServer _azurite;
    private readonly Random _random;
    private readonly SiloSetting[] _settings;
    private readonly SiloProcess?[] _silos;
    private readonly IHost _client;
    private readonly MixedWorkload _workload;
    private readonly WorkloadCluster _view;
    private readonly ClientLoop _loop = new();
    private readonly CallTimes _times;
    private readonly AwakeTime _calm;
    private readonly StreamWriter _events;
    private readonly TextWriter _clientLog;
    private readonly DirectoryInfo? _logs;
    private readonly long _began = Stopwatch.GetTimestamp();
    private readonly long[] _outcomes = new long[Enum.GetValues<OperationOutcome>().Length];
    private readonly int[] _calmCommits;
    private readonly List<string> _complaints = [];
    private readonly HashSet<string> _unexpected = [];
    private long _lastCommit;
    private TimeSpan _longestGap;
    private long _calmSince;
    private bool _isOver;
    private int _kills;
    private int _stops;
    private int _deposed;
    private int _startsInVain;

    private ProcessRun(ProcessCase run, AzuriteServer azurite)
    {
        _case = run;
        _azurite = azurite;
        _random = new Random(run.Seed);
        var unique = Guid.NewGuid().ToString("N")[..6];
        var name = string.Create(
            CultureInfo.InvariantCulture, $"{DateTime.UtcNow:yyyyMMdd-HHmmss}-kill-seed{run.Seed}-{unique}");
        Folder = Directory.CreateDirectory(Path.Combine(run.EvidenceFolder, name)).FullName;
        _events = new StreamWriter(Path.Combine(Folder, "events.txt")) { AutoFlush = true };
        _clientLog = TextWriter.Synchronized(new StreamWriter(Path.Combine(Folder, "client.log")) { AutoFlush = true });
        _logs = run.KeepsFiles ? Directory.CreateTempSubdirectory("polyjuice-kill-") : null;
        var cluster = $"kill-{Guid.NewGuid().ToString("N")[..8]}";
        var ports = LoopbackPorts.Free(2 * run.Silos);
        _settings = [.. Enumerable.Range(0, run.Silos).Select(number => new SiloSetting
        {
            Cluster = cluster, SiloPort = ports[2 * number], GatewayPort = ports[(2 * number) + 1], Engine = run.Engine,
            Folder = _logs?.FullName, Partitions = 2 * run.Silos, Seed = (run.Seed * 31) + number,
            ClockShift = number switch { 0 => run.Skew / 2, 1 => -run.Skew / 2, _ => TimeSpan.Zero },
            ResponseTimeout = run.ResponseTimeout,
        })];
        _silos = new SiloProcess?[run.Silos];
        _client = ProcessCluster.Client(cluster, run.Engine, run.ResponseTimeout, azurite.ConnectionString, _clientLog);
        _workload = (MixedWorkload)(run.HasTurns
            ? MixedWorkload.WithTurns
            : MixedWorkload.Definition).Create(new WorkloadParameters(run.Cells, (ulong)run.Seed));

        _workload.OutcomeOf = OutcomeOf;

        // A transaction's place in the order is by clocks.
        if (run.Skew > TimeSpan.Zero) _workload.Model = ConsistencyModel.Serializable;
        _view = new WorkloadCluster(_client.Services.GetRequiredService<IGrainFactory>(), _ => 0, run.Silos)
        {
            Transactions = _client.Services.GetRequiredService<ITransactionClient>()
        };
        _times = new(run.ResponseTimeout, _transactionTimeout);
        _calm = new(_times);
        _calmCommits = new int[run.Clients];
    }

    /// <summary>Where evidence is kept.</summary>
    public string Folder { get; }

    private long Committed => Volatile.Read(ref _outcomes[(int)OperationOutcome.Committed]);

    private TimeSpan AnswerMax => _transactionTimeout + (2 * _case.ResponseTimeout);

    /// <summary>Makes one, whose silos are to be started.</summary>
    public static async Task<ProcessRun> CreateAsync(ProcessCase run) => new(run, await AzuriteServer.StartAsync());

    /// <summary>Runs it to its end.</summary>
    /// <param name="told">Hears of each fault.</param>
    /// <param name="cancellationToken">Ends it early; what has been done by then is judged.</param>
    public async Task<ProcessResult> RunAsync(Action<string> told, CancellationToken cancellationToken)
    {
        await Task.WhenAll(Enumerable.Range(0, _case.Silos).Select(StartAsync));
        await _client.StartAsync(CancellationToken.None);
        Tell(told, "all serve");
        _lastCommit = Stopwatch.GetTimestamp();
        using var over = new CancellationTokenSource();
        var watching = _loop.RunAsync(() => _times.WatchAsync(over.Token));
        var clients = _loop.RunAsync(() => Task.WhenAll(Enumerable.Range(0, _case.Clients).Select(ClientAsync)));
        try
        {
            await FaultsAsync(told, clients, cancellationToken);
            Volatile.Write(ref _calmSince, Stopwatch.GetTimestamp());
            await clients;
        }
        finally
        {
            Volatile.Write(ref _isOver, true);
            await over.CancelAsync();
            await watching;
        }

        _complaints.AddRange(_times.Late);
        _complaints.AddRange(
            _unexpected.Take(ComplaintsMax).Select(unexpected => $"an exception that no client expects: {unexpected}"));
        for (var client = 0; client < _case.Clients; client++)
        {
            if (_calmCommits[client] < CalmCommits)
                _complaints.Add(
                    $"client {client} has committed {_calmCommits[client]} of {CalmCommits} operations in "
                    + $"{AnswerMax.TotalSeconds} s after the last fault");
        }

        // Nothing that happens when all are started again takes this away.
        var calm = await JudgeAsync("after the last fault");
        Tell(told, $"{_complaints.Count} complaints after the last fault; {calm}");
        foreach (var complaint in _complaints) Tell(told, complaint);
        _workload.Save(Folder);
        await Task.WhenAll(_silos.Select(silo => silo!.KillAsync()));
        await Task.WhenAll(Enumerable.Range(0, _case.Silos).Select(StartAsync));
        Tell(told, "all were killed, and serve again");
        var verdict = await JudgeAsync("after all processes were killed");
        _workload.Save(Folder);
        return new(
            _outcomes, _kills, _stops, _deposed, _startsInVain, _times.Longest, _longestGap, _complaints, verdict);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var silo in _silos)
        {
            if (silo is not null) await silo.DisposeAsync();
        }

        // Its silos are gone: there is nothing to say goodbye to.
        if (_client is IAsyncDisposable client) await client.DisposeAsync();
        await _azurite.DisposeAsync();
        await _events.DisposeAsync();
        await _clientLog.DisposeAsync();
        _loop.Dispose();
        _logs?.Delete(recursive: true);
    }

    // A silo that could not take over in its time ends, and whoever runs it starts it again. It is counted.
    private async Task StartAsync(int number)
    {
        for (var starts = 1; ; starts++)
        {
            if (_silos[number] is { } before) await before.DisposeAsync();
            var silo = _silos[number] = SiloProcess.Start(
                _settings[number], _azurite.ConnectionString, Path.Combine(Folder, $"silo-{number}.log"));
            if (await silo.WhenReadyAsync() is not { } exitCode) return;
            if (starts == StartsMax)
                throw new InvalidOperationException(
                    $"Silo {number} was started {starts} times, and has ended with exit code {exitCode} before "
                    + "it served.");
            _startsInVain++;
        }
    }

    private async Task FaultsAsync(Action<string> told, Task clients, CancellationToken cancellationToken)
    {
        var stops = new HashSet<int>();
        while (stops.Count < Math.Min(_case.Stops, _case.Kills + _case.Stops))
            stops.Add(_random.Next(_case.Kills + _case.Stops));
        for (var fault = 0; fault < _case.Kills + _case.Stops && !cancellationToken.IsCancellationRequested; fault++)
        {
            if (!await ProgressAsync(clients)) return;
            var number = _random.Next(_case.Silos);
            var absence = _case.AbsenceMax * _random.NextDouble();
            if (stops.Contains(fault)) await StandStillAsync(number, told);
            else await KillAsync(number, absence, told);
        }

        await ProgressAsync(clients);
    }

    // I4: it goes on after each fault.
    private async Task<bool> ProgressAsync(Task clients)
    {
        var (since, before) = (Stopwatch.GetTimestamp(), Committed);
        while (Committed < before + _case.CommitsBetween)
        {
            if (clients.IsCompleted) return false;
            if (Stopwatch.GetElapsedTime(since) > _progressMax)
            {
                _complaints.Add(
                    $"{Committed - before} of {_case.CommitsBetween} transactions have committed in "
                    + $"{_progressMax.TotalSeconds} s without a fault");
                return false;
            }

            await Task.Delay(_look, CancellationToken.None);
        }

        return true;
    }

    private async Task KillAsync(int number, TimeSpan absence, Action<string> told)
    {
        await _silos[number]!.KillAsync();
        _kills++;
        await Task.Delay(absence, CancellationToken.None);
        await StartAsync(number);
        Tell(
            told,
            string.Create(
                CultureInfo.InvariantCulture,
                $"kill {_kills}: silo {number} was gone for {absence.TotalSeconds:0.0} s"));
    }

    private async Task StandStillAsync(int number, Action<string> told)
    {
        var silo = _silos[number]!;
        await silo.StopAsync();
        _stops++;
        await Task.Delay(_case.Pause, CancellationToken.None);
        var isDead = await IsDeclaredDeadAsync(number);
        await silo.ContinueAsync();

        // The others have taken over what it served, unless it is alone: it finds that out, and ends.
        var ends = await Task.WhenAny(silo.Ended, Task.Delay(_case.EndMax, CancellationToken.None)) == silo.Ended;
        if (ends) _deposed++;
        else if (isDead)
        {
            _complaints.Add(
                $"stop {_stops}: silo {number} was declared dead while it stood still, and has not ended in "
                + $"{_case.EndMax.TotalSeconds} s after it went on");
            await silo.KillAsync();
        }

        if (ends || isDead) await StartAsync(number);

        Tell(
            told,
            string.Create(
                CultureInfo.InvariantCulture,
                $"stop {_stops}: silo {number} stood still for {_case.Pause.TotalSeconds} s, and "
                + $"{(ends ? "ended when it went on" : isDead ? "went on though it was declared dead" : "goes on")}"));
    }

    // By the membership table itself: gateways of silos that are active. No silo is asked, so none can be mistaken.
    private async Task<bool> IsDeclaredDeadAsync(int number)
    {
        var gateways = await _client.Services.GetRequiredService<IGatewayListProvider>().GetGateways();
        return gateways.All(gateway => gateway.Port != _settings[number].GatewayPort);
    }

    private async Task ClientAsync(int number)
    {
        var client = _workload.CreateClient(
            _view,
            new ClientSettings(
                WorkloadVariant.Transactional,
                _case.Theta,
                BenchmarkRandom.Derive((ulong)_case.Seed, (ulong)number),
                number));
        while (GoesOn(number))
        {
            var operation = client.Choose();
            var isCalm = Volatile.Read(ref _calmSince) != 0;
            var end = _times.Begin(operation.IsOneCall);
            var outcome = await operation.RunAsync();
            end(
                $"{MixedWorkload.WithTurns.OperationTypes[operation.Type].Name} of client {number}, "
                + $"{outcome.ToString().ToLowerInvariant()},");
            _outcomes[(int)outcome]++;
            if (outcome != OperationOutcome.Committed) continue;
            if (Stopwatch.GetElapsedTime(_lastCommit) is var gap && gap > _longestGap) _longestGap = gap;
            _lastCommit = Stopwatch.GetTimestamp();
            if (isCalm) _calmCommits[number]++;
        }
    }

    private bool GoesOn(int number)
    {
        if (Volatile.Read(ref _isOver)) return false;
        var since = Volatile.Read(ref _calmSince);
        if (since == 0) return true;
        var elapsed = _calm.Since(since);
        return _calmCommits[number] < CalmCommits && elapsed < AnswerMax;
    }

    // What no client should have to expect is a complaint, and may have had an effect.
    private OperationOutcome OutcomeOf(Exception exception)
    {
        try
        {
            return Outcomes.Of<CellDeclinedException>(exception);
        }
        catch (InvalidOperationException)
        {
            if (_unexpected.Add($"{exception.GetType()}: {exception.Message}")) _clientLog.WriteLine(exception);
            return OperationOutcome.InDoubt;
        }
    }

    private async Task<string> JudgeAsync(string when)
    {
        var check = await CheckAsync(when);
        if (!check.Holds) _complaints.Add($"{when}: {check.Description}");
        return check.Description;
    }

    private async Task<InvariantCheck> CheckAsync(string when)
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
            catch (Exception exception)
            {
                if (Stopwatch.GetElapsedTime(began) < _progressMax)
                {
                    await Task.Delay(_look);
                    continue;
                }

                // What is known without that can be judged all the same.
                _complaints.Add(
                    $"{when}: what is there could not be read in {_progressMax.TotalSeconds} s: {exception.Message}");
                return _workload.Judge(new Dictionary<HistoryKey, IReadOnlyList<long>>());
            }
        }
    }

    private void Tell(Action<string> told, string what)
    {
        var line = string.Create(
            CultureInfo.InvariantCulture,
            $"{Stopwatch.GetElapsedTime(_began).TotalSeconds,6:0} s  {Committed,9:N0}  {what}");
        _events.WriteLine(line);
        told(line);
    }
}
