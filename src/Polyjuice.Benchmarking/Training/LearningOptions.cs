using Polyjuice.Benchmarking.Clusters;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Search;

namespace Polyjuice.Benchmarking.Training;

/// <summary>What the samples' command lines have in common about <c>--train</c>. Immutable.</summary>
public sealed record LearningOptions
{
    /// <summary>The switch.</summary>
    public const string Switch = "--train";

    /// <summary>How long to search.</summary>
    public const string BudgetOption = "--budget";

    /// <summary>Where the table goes.</summary>
    public const string OutOption = "--out";

    /// <summary>Intervals of each table in the comparison.</summary>
    private const int Intervals = 5;

    /// <summary>Of each table in the comparison, if nothing is said.</summary>
    private const double DefaultSeconds = 7.5;

    private const double WarmupShare = 0.3;

    /// <summary>Latencies under which tables make a difference on one machine: a network's, and a log's that is flushed or far away.</summary>
    private static readonly TimeSpan _network = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan _append = TimeSpan.FromMilliseconds(5);

    /// <summary>The table in force at first, if nothing is said.</summary>
    private const string DefaultPolicy = "ic3";

    private TimeSpan? Budget { get; init; }

    private string? Out { get; init; }

    /// <summary>Whether the switch was given.</summary>
    public bool IsAsked { get; private init; }

    /// <summary>The options with another value.</summary>
    /// <param name="name">One of the three.</param>
    /// <param name="value">As typed.</param>
    /// <exception cref="BenchmarkInputException">It is not valid.</exception>
    public LearningOptions With(string name, string value) => name switch
    {
        Switch => this with { IsAsked = true },
        BudgetOption => this with { Budget = BenchmarkInput.Duration(value, name) },
        OutOption => this with { Out = BenchmarkInput.OutputFile(value, ".json", name) },
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, "No option of --train."),
    };

    /// <summary>Checks what only all options together can tell.</summary>
    /// <param name="given">The names of all options that were given.</param>
    /// <param name="meaningless">Those that mean nothing with the switch, each with why.</param>
    /// <exception cref="BenchmarkInputException">Something does not go together.</exception>
    public void Check(IReadOnlyCollection<string> given, IReadOnlyDictionary<string, string> meaningless)
    {
        ArgumentNullException.ThrowIfNull(given);
        ArgumentNullException.ThrowIfNull(meaningless);
        if (!IsAsked)
        {
            if (given.FirstOrDefault(name => name is BudgetOption or OutOption) is { } alone) throw new BenchmarkInputException($"{alone} is for {Switch}.");
            return;
        }

        if (given.FirstOrDefault(meaningless.ContainsKey) is { } wrong) throw new BenchmarkInputException($"{wrong} cannot be used with {Switch}: {meaningless[wrong]}");
    }

    /// <summary>What is to be done.</summary>
    /// <param name="run">The workload, its clients and its cluster, to which latencies are added.</param>
    /// <param name="policies">As given: the table in force at first, then those that are compared; or nothing.</param>
    /// <param name="seconds">Measured of each table in the comparison; or nothing.</param>
    /// <param name="defaultBudget">How long to search, if nothing is said.</param>
    /// <param name="defaultOut">Where the table goes, if nothing is said.</param>
    /// <exception cref="BenchmarkInputException">The table in force at first cannot be replayed.</exception>
    public LearningPlan ToPlan(BenchmarkPlan run, IReadOnlyList<IPolicyCompiler>? policies, double? seconds, TimeSpan defaultBudget, string defaultOut)
    {
        ArgumentNullException.ThrowIfNull(run);
        var tables = policies ?? BenchmarkInput.Policies(DefaultPolicy);
        if (tables[0] is DocumentPolicy { Document: var first } && TableTrainer.Reserves(first))
            throw new BenchmarkInputException($"--policy: {first.Name} reserves, which a replay cannot follow; with {Switch} the first table must be another one.");
        var interval = (seconds ?? DefaultSeconds) / Intervals;
        return new LearningPlan
        {
            Run = run with
            {
                Policies = tables, Shape = run.Shape with { NetworkLatency = _network, AppendLatency = _append }, IncludePlain = false,
                Measured = TimeSpan.FromSeconds(interval), Warmup = TimeSpan.FromSeconds(interval * WarmupShare), Repeat = Intervals,
            },
            Budget = new SearchBudget(Budget ?? defaultBudget),
            File = Out ?? defaultOut,
        };
    }

    /// <summary>Does it, as a program does.</summary>
    /// <param name="plan">What.</param>
    /// <param name="start">Starts a cluster.</param>
    /// <param name="output">For people.</param>
    /// <param name="error">For what is wrong.</param>
    /// <param name="interrupt">Ctrl-C.</param>
    /// <returns>See <see cref="LearningResult.ExitCode"/>; 2 if a file could not be written or what was recorded is too little.</returns>
    public static async Task<int> RunAsync(LearningPlan plan, Func<ClusterShape, Task<ITracingCluster>> start, TextWriter output, TextWriter error, UserInterrupt interrupt)
    {
        ArgumentNullException.ThrowIfNull(error);
        try
        {
            return (await new LearningRun(start, output, interrupt).RunAsync(plan)).ExitCode;
        }
        catch (Exception e) when (e is ArgumentException or IOException or UnauthorizedAccessException)
        {
            // The message says what to do.
            await error.WriteLineAsync(e.Message);
            return 2;
        }
    }
}
