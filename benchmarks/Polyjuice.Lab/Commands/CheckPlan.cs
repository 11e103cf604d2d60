using System.Globalization;
using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary>What <c>polyjuice-lab check</c> is to run. What it leaves open, a run's seed decides.</summary>
internal sealed record CheckPlan
{
    private const ulong ShapeStream = 0xC4A05;

    // No factor in common with the number of workloads: each of them meets them.
    private const int LongPauseEvery = 11;

    // It is also what tables get that learn something.
    private static readonly TimeSpan _longSwap = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan _shortSwap = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan _longPauseMean = TimeSpan.FromSeconds(8);
    private static readonly TimeSpan _longRunBeyond = TimeSpan.FromSeconds(15);

    public required IReadOnlyList<CheckWorkload> Workloads { get; init; }

    public required IReadOnlyList<FaultKind> Faults { get; init; }

    public required TimeSpan Every { get; init; }

    public required IPolicyCompiler? Policy { get; init; }

    public required int Seed { get; init; }

    public required int Seeds { get; init; }

    public required TimeSpan Time { get; init; }

    /// <summary>
    /// So many transactions are to commit in all: the nightly mode.
    /// <see langword="null"/> for as many as there is <see cref="Time"/> for.
    /// </summary>
    public required long? Committed { get; init; }

    public required TimeSpan RunTime { get; init; }

    public required int? Silos { get; init; }

    public required int? EnginesPerSilo { get; init; }

    public required int? Partitions { get; init; }

    /// <summary>
    /// Clients of a run; <see langword="null"/> for <see cref="ClientsMost"/>, or fewer where a workload takes no more.
    /// </summary>
    public int? Clients { get; init; }

    public required int ClientsMost { get; init; }

    /// <summary>How long a table is in force, where they take turns.</summary>
    public required TimeSpan? SwapInterval { get; init; }

    public required ChaosLogs? Logs { get; init; }

    public required TimeSpan? AppendDelay { get; init; }

    public required TimeSpan? NetworkDelay { get; init; }

    /// <summary>
    /// How long silos stand still that do; <see langword="null"/> for a second
    /// at the most, and in the nightly mode for half a minute in some runs.
    /// </summary>
    public required TimeSpan? Pause { get; init; }

    /// <summary>How long clients wait for an answer.</summary>
    public required TimeSpan ResponseTimeout { get; init; }

    public required string? Evidence { get; init; }

    private bool HasStandstills => Faults.Intersect(ChaosGroups.LongPauses).Any();

    /// <summary>The run of a seed.</summary>
    public ChaosCase CaseOf(int seed)
    {
        var random = new BenchmarkRandom(BenchmarkRandom.Derive((ulong)seed, ShapeStream));
        var workload = Workloads[seed % Workloads.Count];
        var silos = 1 + random.Next(3);
        var beyond = random.Next(5);
        var logs = random.Next(3) == 0 ? ChaosLogs.Files : ChaosLogs.Memory;
        var append = random.Next(3) == 0 ? 1 + random.Next(10) : 0;
        var network = random.Next(3) == 0 ? 1 + random.Next(3) : 0;
        var swap = random.Next(3) == 0 ? _longSwap : _shortSwap;
        var engines = 1 + random.Next(3);
        var pause = PauseOf(seed);

        // One may pause and another one be deposed, and one is left to serve.
        if (pause is not null) silos = 3;
        return new ChaosCase
        {
            Workload = workload.Definition,
            Parameters = workload.Parameters with { Seed = (ulong)seed },
            Theta = workload.Theta,
            Policy = Policy,
            SwapInterval = SwapInterval ?? swap,
            LearningInterval = _longSwap,
            Seed = seed,
            Silos = Silos ?? silos,
            EnginesPerSilo = EnginesPerSilo ?? engines,
            Partitions = Partitions ?? (silos * engines) + beyond,
            Clients = Clients ?? Math.Min(ClientsMost, workload.ClientsMax),
            ResponseTimeout = ResponseTimeout,
            Logs = Logs ?? logs,
            AppendDelay = AppendDelay ?? TimeSpan.FromMilliseconds(append),
            NetworkDelay = NetworkDelay ?? TimeSpan.FromMilliseconds(network),
            Time = pause is { } still && still + _longRunBeyond > RunTime ? still + _longRunBeyond : RunTime,
            Faults = Faults.Count == 0 ? null : Script(seed, pause, Silos ?? silos),
            EvidenceFolder = Evidence,
        };
    }

    /// <summary>The arguments that make a run again, whatever the plan has left open.</summary>
    public string Again(ChaosCase run)
    {
        ArgumentNullException.ThrowIfNull(run);
        var pause = PauseOf(run.Seed) is { } still
            ? string.Create(CultureInfo.InvariantCulture, $" --pause {still.TotalSeconds}")
            : "";
        var faults = Faults.Count == 0 ? "none" : string.Join(',', Faults).ToLowerInvariant();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"check --workload {run.Workload.Name} --seed {run.Seed} --seeds 1 --seconds {RunTime.TotalSeconds} "
            + $"--silos {run.Silos} --engines-per-silo {run.EnginesPerSilo} --partitions {run.Partitions} "
            + $"--clients {run.Clients} --logs {run.Logs.ToString().ToLowerInvariant()} "
            + $"--append-delay {run.AppendDelay.TotalMilliseconds} "
            + $"--network-delay {run.NetworkDelay.TotalMilliseconds} --response-timeout {ResponseTimeout.TotalSeconds} "
            + $"--every {Every.TotalSeconds}{pause} --swap-every {run.SwapInterval.TotalMilliseconds} --policy "
            + $"{run.Policy?.Name ?? CheckCommand.RandomPolicies} --faults {faults}");
    }

    /// <summary>What all runs together are to exercise.</summary>
    public ChaosCoverage Expected()
    {
        var coverage = new ChaosCoverage();
        ChaosGroups.Expect(
            coverage,
            Workloads.Select(workload => workload.Definition).Distinct().SelectMany(workload =>
                workload.OperationTypes is { Count: > 0 } types
                    ? types.Select(type => $"{workload.Name}: {type.Name}")
                    : [$"{workload.Name}: {workload.Name}"]),
            Faults,
            hasLongPauses: HasStandstills && (Pause >= ChaosGroups.LongPause || Committed is not null),
            hasAllTables: Policy is null);
        return coverage;
    }

    private TimeSpan? PauseOf(int seed)
    {
        if (!HasStandstills) return null;
        return Pause ?? (Committed is not null && seed % LongPauseEvery == 0 ? ChaosGroups.LongPause : null);
    }

    private ClusterFaults Script(int seed, TimeSpan? pause, int silos)
    {
        // The only one may go as well.
        var script = new ClusterFaults { Seed = seed, FaultsMax = 10_000, SilosMin = silos == 1 ? 0 : 1 };
        foreach (var kind in Faults)
        {
            // The last silo that leaves in good order answers calls with an
            // OrleansException, of which no client can tell what it means.
            if (kind == FaultKind.Leave && silos == 1) continue;
            if (pause is { } still && ChaosGroups.LongPauses.Contains(kind)) script.Every(kind, _longPauseMean, still);
            else script.Every(kind, Every);
        }

        return script;
    }
}

/// <summary>A workload that is checked.</summary>
/// <param name="Definition">What it is.</param>
/// <param name="Parameters">Its sizes.</param>
/// <param name="Theta">The skew of its choices.</param>
internal sealed record CheckWorkload(WorkloadDefinition Definition, WorkloadParameters Parameters, double Theta)
{
    /// <summary>
    /// More clients than this find no place: their calls wait for each other until their time is over.
    /// </summary>
    public int ClientsMax { get; init; } = int.MaxValue;
}
