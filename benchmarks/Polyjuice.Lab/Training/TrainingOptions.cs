using System.CommandLine;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Tool.Commands;
using Polyjuice.Training.Replay;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>What is replayed, and on what: the options that the commands have in common.</summary>
internal sealed class TrainingOptions
{
    private readonly Option<string[]> _trace = new("--trace")
    {
        Description = "Files of a trace (polyjuice trace record), or folders of them.", HelpName = "files",
        AllowMultipleArgumentsPerToken = true
    };
    private readonly Option<string?> _workload = Optional(
        "--workload",
        "Records a short run of this workload of 'polyjuice bench' first: "
            + string.Join(", ", BenchCommand.Workloads.All.Where(w => w.HasTransactions).Select(w => w.Name)) + ".");
    private readonly Option<string> _recordWith = Text(
        "--record-with", "occ", "The policy in force while a workload is recorded.");
    private readonly Option<string> _recordSeconds = Text("--record-seconds", "4", "Recorded seconds.");
    private readonly Option<string?> _recordTransactions = CommandOptions.Transactions(
        "--record-transactions", "--record-seconds");
    private readonly Option<string> _theta = Text(
        "--theta", "0.99", "Zipfian skew of the workload's choice of grains.");
    private readonly WorkloadOptions _sizes = new(scale: "0.05");
    private readonly Option<string> _cores = Text("--cores", "1", "Processors of a silo of the replay.");
    private readonly Option<string> _cost = Text(
        "--cost", "1",
        "A factor for what all work costs processors in the replay; 'calibrate' fits it to short real runs of "
        + "the workload.");
    private readonly Option<string?> _transactions = Optional(
        "--transactions",
        "Measured transactions of a replay; half as many are warm-up on top. Default: 20 for each client, at least "
        + "1,200, so that queues fill.");

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_trace);
        foreach (Option option in (Option[])[_workload, _recordWith, _recordSeconds, _recordTransactions, _theta])
            command.Add(option);
        _sizes.AddTo(command);
        foreach (Option option in (Option[])[_cores, _cost, _transactions]) command.Add(option);
    }

    /// <summary>The seed.</summary>
    public ulong SeedOf(ParseResult parsed) => _sizes.SeedOf(parsed);

    /// <summary>The trace's files, if it was named.</summary>
    public IReadOnlyList<string> FilesOf(ParseResult parsed) => parsed.GetValue(_trace) ?? [];

    /// <summary>The workload that is recorded, or run; <see langword="null"/> if a trace was named instead.</summary>
    /// <exception cref="CommandInputException">Something of it is not valid, or both or none were named.</exception>
    public BenchmarkPlan? RunOf(ParseResult parsed)
    {
        if ((parsed.GetValue(_workload) is null) == (FilesOf(parsed).Count == 0))
            throw new CommandInputException(
                $"Name either a trace's files with {_trace.Name}, or a workload to be recorded with {_workload.Name}.");
        if (parsed.GetValue(_workload) is not { } name) return null;
        var definition = BenchmarkInput.Workload(BenchCommand.Workloads, name);
        if (!definition.HasTransactions)
            throw new CommandInputException($"{definition.Name} has no transactions, so there is nothing to train on.");
        var policies = CommandInput.Policies(parsed.GetValue(_recordWith)!);
        if (policies.Count != 1)
            throw new CommandInputException($"{_recordWith.Name}: one policy, not {policies.Count}.");
        return new BenchmarkPlan
        {
            Workload = definition,
            Policies = policies,
            Thetas = [parsed.Number(_theta, 0, 10)],
            Shape = _sizes.ShapeOf(parsed),
            Clients = _sizes.ClientsOf(parsed),
            Warmup = TimeSpan.FromSeconds(0.5),
            ProcessWarmup = TimeSpan.FromSeconds(2),
            Measured = TimeSpan.FromSeconds(parsed.Number(_recordSeconds, 0.1, 3_600)),
            OperationsPerInterval = parsed.TransactionsOrNone(_recordTransactions),
            IncludePlain = false,
            Parameters = _sizes.ParametersOf(parsed),
            Seed = _sizes.SeedOf(parsed),
        };
    }

    /// <summary>Where a command keeps its replays, if anywhere.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <param name="checkpoint">The command's option.</param>
    /// <exception cref="CommandInputException">Replays are to be kept, and no trace was named.</exception>
    public string? CheckpointOf(ParseResult parsed, Option<string?> checkpoint)
    {
        var kept = parsed.GetValue(checkpoint);
        if (kept is not null && FilesOf(parsed).Count == 0)
            throw new CommandInputException(
                $"{checkpoint.Name} needs {_trace.Name}: a workload is recorded anew each time, and what was replayed "
                + "of another trace is of no use. Record it with 'polyjuice trace record'.");
        return kept;
    }

    /// <summary>Reads the trace, or records the workload, and fits costs if that was asked for.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <param name="run">See <see cref="RunOf"/>.</param>
    /// <param name="settings">See <see cref="SettingsOf"/>.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ArgumentException">
    /// The trace is too short, or costs are to be fitted and there is no workload to run.
    /// </exception>
    /// <exception cref="IOException">The trace cannot be read.</exception>
    public Task<TrainingInput> LoadAsync(
        ParseResult parsed, BenchmarkPlan? run, ReplaySettings settings, CancellationToken cancellationToken) =>
        RecordedInput.LoadAsync(
            FilesOf(parsed),
            run,
            settings,
            Calibrates(parsed),
            SeedOf(parsed),
            parsed.InvocationConfiguration.Output,
            cancellationToken);

    /// <summary>The replay.</summary>
    /// <exception cref="CommandInputException">Something of it is not valid.</exception>
    public ReplaySettings SettingsOf(ParseResult parsed)
    {
        var clients = _sizes.ClientsOf(parsed);
        var measured = parsed.WholeOrNone(_transactions, 100, 10_000_000) ?? ReplaySettings.MeasuredFor(clients);
        return RecordedWorkload.ReplayOn(_sizes.ShapeOf(parsed), clients, measured) with
        {
            CoresPerSilo = parsed.Whole(_cores, 1, 64),
            Costs = Calibrates(parsed) ? new ReplayCosts() : CostsOf(parsed.GetValue(_cost)!, _cost.Name),
        };
    }

    /// <summary>What work costs, by a factor.</summary>
    /// <exception cref="CommandInputException">It is none.</exception>
    public static ReplayCosts CostsOf(string factor, string option) =>
        new ReplayCosts().Scaled(CommandInput.Number(factor, option, 0.01, 1_000));

    /// <summary>Whether costs are to be fitted.</summary>
    public bool Calibrates(ParseResult parsed) => parsed.GetValue(_cost) == "calibrate";
}
