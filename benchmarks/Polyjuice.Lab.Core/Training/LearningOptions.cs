using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Training;

/// <summary>What the samples' command lines have in common about <c>--train</c>. Immutable.</summary>
public sealed record LearningOptions
{
    /// <summary>The switch.</summary>
    public const string Switch = "--train";

    /// <summary>How long to search.</summary>
    public const string BudgetOption = "--budget";

    /// <summary>Where the table goes.</summary>
    public const string OutOption = "--out";

    /// <summary>How long each message is delayed.</summary>
    public const string NetworkOption = "--network-ms";

    /// <summary>How long each append is delayed.</summary>
    public const string AppendOption = "--append-ms";

    /// <summary>Intervals of each table in the comparison.</summary>
    private const int Intervals = 3;

    /// <summary>Of each table in the comparison, if nothing is said.</summary>
    private const double DefaultSeconds = 6;

    private const double WarmupShare = 0.3;

    // As between machines of one site, and to a disk that confirms. Without them processors are all that is waited for,
    // and locks, which waste none, are hard to beat.
    private static readonly TimeSpan _network = TimeSpan.FromMilliseconds(0.5);
    private static readonly TimeSpan _append = TimeSpan.FromMilliseconds(2);

    /// <summary>The table in force at first, if nothing is said.</summary>
    private const string DefaultPolicy = "ic3";

    private TimeSpan? Budget { get; init; }

    private string? Out { get; init; }

    private TimeSpan Network { get; init; } = _network;

    private TimeSpan Append { get; init; } = _append;

    /// <summary>Whether the switch was given.</summary>
    public bool IsAsked { get; private init; }

    /// <summary>The options with another value.</summary>
    /// <param name="name">One of these.</param>
    /// <param name="value">As typed.</param>
    /// <exception cref="CommandInputException">It is not valid.</exception>
    public LearningOptions With(string name, string value) => name switch
    {
        Switch => this with { IsAsked = true },
        BudgetOption => this with { Budget = CommandInput.Duration(value, name) },
        NetworkOption => this with { Network = Milliseconds(value, name) },
        AppendOption => this with { Append = Milliseconds(value, name) },
        OutOption => this with { Out = CommandInput.OutputFile(value, ".json", name) },
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, "No option of --train."),
    };

    private static TimeSpan Milliseconds(string value, string name) =>
        TimeSpan.FromMilliseconds(CommandInput.Number(value, name, 0, 10_000));

    /// <summary>Checks what only all options together can tell.</summary>
    /// <param name="given">The names of all options that were given.</param>
    /// <param name="meaningless">Those that mean nothing with the switch, each with why.</param>
    /// <exception cref="CommandInputException">Something does not go together.</exception>
    public void Check(IReadOnlyCollection<string> given, IReadOnlyDictionary<string, string> meaningless)
    {
        ArgumentNullException.ThrowIfNull(given);
        ArgumentNullException.ThrowIfNull(meaningless);
        if (!IsAsked)
        {
            if (given.FirstOrDefault(
                name => name is BudgetOption or OutOption or NetworkOption or AppendOption) is { } alone)
                throw new CommandInputException($"{alone} is for {Switch}.");
            return;
        }

        if (given.FirstOrDefault(meaningless.ContainsKey) is { } wrong)
            throw new CommandInputException($"{wrong} cannot be used with {Switch}: {meaningless[wrong]}");
    }

    /// <summary>What is to be done.</summary>
    /// <param name="run">The workload, its clients and its cluster, to which delays may be added.</param>
    /// <param name="policies">As given: the table in force at first, then those that are compared; or nothing.</param>
    /// <param name="seconds">Measured of each table in the comparison; or nothing.</param>
    /// <param name="defaultBudget">How long to search, if nothing is said.</param>
    /// <param name="defaultOut">Where the table goes, if nothing is said.</param>
    /// <exception cref="CommandInputException">The table in force at first cannot be replayed.</exception>
    internal LearningPlan ToPlan(
        BenchmarkPlan run, IReadOnlyList<IPolicyCompiler>? policies, double? seconds, TimeSpan defaultBudget,
        string defaultOut)
    {
        ArgumentNullException.ThrowIfNull(run);
        var tables = policies ?? CommandInput.Policies(DefaultPolicy);
        if (tables[0] is DocumentPolicy { Document: var first } && TableTrainer.Reserves(first))
            throw new CommandInputException(
                $"--policy: {first.Name} reserves, which a replay cannot follow; with {Switch} the first table must be "
                + "another one.");
        var interval = (seconds ?? DefaultSeconds) / Intervals;

        // Who has little time for the comparison has little for the race.
        var raced = TimeSpan.FromSeconds(Math.Min(interval, LearningPlan.DefaultRaceInterval.TotalSeconds));
        return new LearningPlan
        {
            RaceInterval = raced,
            Run = run with
            {
                Policies = tables, Shape = run.Shape with { NetworkLatency = Network, AppendLatency = Append },
                IncludePlain = false, Measured = TimeSpan.FromSeconds(interval),
                Warmup = TimeSpan.FromSeconds(interval * WarmupShare), Repeat = Intervals,
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
    /// <returns>
    /// See <see cref="LearningResult.ExitCode"/>; 2 if a file could not be written or what was recorded is too little.
    /// </returns>
    internal static async Task<int> RunAsync(
        LearningPlan plan, Func<ClusterShape, Task<ITracingCluster>> start, TextWriter output, TextWriter error,
        UserInterrupt interrupt)
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
