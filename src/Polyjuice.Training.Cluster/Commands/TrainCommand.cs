using System.CommandLine;
using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Training.Cluster.Commands;

/// <summary>
/// <c>train</c>, of the tool and of trainer projects: with an application, recorded calls on test clusters decide
/// (<see cref="ClusterTraining"/>); without one, replays in virtual time.
/// </summary>
internal sealed class TrainCommand
{
    private const string Unchanged = "Nothing written.";

    private readonly TrainCommandSetup _setup;
    private readonly RecordedTraceOptions _workload;
    private readonly ClusterCommandOptions _cluster = new();
    private readonly Option<string> _budget = Text("--budget", "10m", "How long to search: 90s, 10m, 1.5h.");
    private readonly Option<string?> _evaluations = Optional(
        "--evaluations",
        "Replays at the most. The same number ends at the same table on any machine, which a time does not.");
    private readonly Option<string> _objective = Text(
        "--objective", "throughput", "What to search for: throughput, or p99-bounded with --p99-ms.");
    private readonly Option<string?> _p99 = Optional(
        "--p99-ms", "The 99th percentile of latency may be so much, with --objective p99-bounded.");
    private readonly Option<string> _algorithm = Text(
        "--algorithm",
        TableSearches.All[0].Name,
        string.Join("; ", TableSearches.All.Select(static search => $"{search.Name}: {search.Description}"))
        + ". Several, separated by commas, have the whole budget each, and the best table counts.");
    private readonly Option<string> _parent = Text(
        "--parent",
        "ic3",
        "The table in force: what the found one takes from where it says nothing, and must beat like every "
        + "built-in one. A built-in policy or a file.");
    private readonly Option<string> _threads = Text("--threads", "2", "Replays at a time.");
    private readonly Option<string?> _checkpoint = new("--checkpoint")
    {
        Description =
            "Keeps every replay in this file, and what test clusters have measured beside it (FILE.fit, FILE.race). "
                + "The same command with the same file goes on where it was ended.",
        HelpName = "file",
    };

    private readonly Option<string?> _report = new("--report")
    {
        Description =
            "Writes a page to this file: the searches' curves, the table against the best one that was there, "
                + "and what its rows are worth.",
        HelpName = "file",
    };

    private readonly Option<string> _file = new("--out", "-o")
    {
        Description = "Writes the table to this file, and NAME.provenance.json beside it. Its name is the table's.",
        HelpName = "file",
        Required = true,
    };

    private TrainCommand(TrainCommandSetup setup) =>
        (_setup, _workload) = (setup, new());

    /// <summary>The tool's command.</summary>
    /// <param name="setup">What is the tool's own.</param>
    public static Command Create(TrainCommandSetup setup) => new TrainCommand(setup).AddTo(new SteppedCommand(
        "train",
        "Searches a policy for a workload, on a recorded trace of it in virtual time. With --assembly, recorded calls "
        + "are made again on the application's own grains to decide. "
        + "Writes nothing that does not beat every built-in table on what the search has not seen (exit code 1)."));

    /// <summary>The same as a program of its own.</summary>
    /// <param name="setup">With the application.</param>
    public static RootCommand CreateRoot(TrainCommandSetup setup) =>
        (RootCommand)new TrainCommand(setup).AddTo(new SteppedRootCommand(
            "Searches a policy for this application on a recorded trace of it, and decides by making recorded calls "
            + "again in test clusters. Writes nothing that does not beat every built-in table on what the search has "
            + "not seen (exit code 1)."));

    private Command AddTo(Command command)
    {
        _workload.AddTo(command);
        _cluster.AddTo(command, namesApplication: _setup.Application is null);
        Option[] others =
        [
            _budget, _evaluations, _objective, _p99, _algorithm, _parent, _threads, _checkpoint, _report, _file
        ];
        foreach (var option in others) command.Add(option);
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        using var interrupt = new UserInterrupt();
        await using var outer = cancellationToken.Register(interrupt.Interrupt);
        var error = parsed.InvocationConfiguration.Error;
        try
        {
            return await TrainAsync(parsed, interrupt);
        }
        catch (OperationCanceledException) when (interrupt.HasCome)
        {
            await error.WriteLineAsync("Cancelled: nothing was found out yet, and nothing was written.");
            return ExitCodes.Cancelled;
        }
        catch (ClusterFailedException exception)
        {
            var goesOn = parsed.GetValue(_checkpoint) is { } kept
                ? $" {kept} keeps what there was: the same command goes on."
                : "";
            await error.WriteLineAsync($"{exception.Message}\n{Unchanged}{goesOn}");
            return ExitCodes.Refused;
        }
    }

    private async Task<int> TrainAsync(ParseResult parsed, UserInterrupt interrupt)
    {
        var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
        var path = CommandInput.OutputFile(parsed.GetRequiredValue(_file), ".json", _file.Name);
        if (parsed.GetValue(_report) is { } page) CommandInput.OutputFile(page, ".html", _report.Name);
        var application = _setup.Application ?? _cluster.ApplicationOf(parsed);
        var settings = _workload.SettingsOf(parsed, application is null ? null : CoresPerSilo);
        var limit = new SearchBudget(
            parsed.Duration(_budget), parsed.WholeOrNone(_evaluations, 1, int.MaxValue) ?? long.MaxValue);
        var kept = parsed.GetValue(_checkpoint);
        var goal = TableSearches.Objective(
            parsed.GetValue(_objective)!, parsed.GetValue(_p99), _objective.Name, _p99.Name);
        var searches = TableSearches.Named(parsed.GetValue(_algorithm)!, _algorithm.Name);
        if (searches.Count > 1 && kept is not null)
        {
            throw new CommandInputException(
                $"{_checkpoint.Name}: a checkpoint is of one search, and {_algorithm.Name} names {searches.Count}.");
        }

        var from = PolicySource.LoadDocument(parsed.GetValue(_parent)!).Document;
        var atATime = parsed.Whole(_threads, 1, 256);
        settings = ReservingTables.Follow(settings, [from], output);
        var (trace, source) = await TraceFiles.ReadAsync(
            _workload.FilesOf(parsed), _setup, _workload.Trace.Name, error, interrupt.Token);
        var input = TrainingInput.Of(trace, settings, source, output);
        var plan = new TrainingPlan
        {
            Workload = input.Workload, Settings = input.Settings, Name = Path.GetFileNameWithoutExtension(path),
            Parent = from, Objective = goal, Search = searches[0], Budget = limit, Seed = _workload.SeedOf(parsed),
            Threads = atATime,
        };
        if (application is not null) plan = plan with { TrialReplays = ClusterTrainingPlan.UndecidingReplays };
        ClusterTrainingResult result;
        if (application is null)
        {
            var searched = TrainingSearches.Run(plan, searches, kept, input.Digest, output, interrupt.Token);
            result = new ClusterTrainingResult(searched.Plan, searched.Result, searched.All);
            output.WriteLine(TrialTable.Of(result.Training));
            output.WriteLine(StartList.Of(result.Training));
        }
        else
        {
            var asked = new ClusterTrainingPlan
            {
                Trace = trace, Digest = input.Digest, Application = application, Training = plan, Searches = searches,
                Checkpoint = kept,
            };
            result = await new ClusterTraining(output, interrupt).RunAsync(asked with
            {
                Cluster = _cluster.ClusterOf(parsed, settings),
                Race = _cluster.RaceOf(parsed),
                VerdictRounds = _cluster.VerdictRoundsOf(parsed),
            });
        }

        if (parsed.GetValue(_report) is { } html) await ReportAsync(result, html);
        return await EndAsync(result, input, path, kept, output);
    }

    // Silos of a test cluster share this machine's processors.
    private static int CoresPerSilo(int silos) => Math.Max(1, Environment.ProcessorCount / silos);

    private static async Task<int> EndAsync(
        ClusterTrainingResult result, TrainingInput input, string path, string? checkpoint, TextWriter output)
    {
        var training = result.Training;
        var early = training.WasEnded ? ", ended early" : "";
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{training.Evaluations:n0} replays in {training.Elapsed.TotalSeconds:n0} s{early}"));
        if (result.IsUndecided)
        {
            var goesOn = checkpoint is null ? "" : " The same command goes on.";
            output.WriteLine($"Not decided: the race was ended before it had an answer. {Unchanged}{goesOn}");
            return ExitCodes.Cancelled;
        }

        if (!training.IsBetter)
        {
            var unbeaten = string.Join(", ", training.Unbeaten.Select(static baseline => baseline.Name));
            output.WriteLine(training.Race is null
                ? $"{Unchanged[..^1]}: on held-out data the best table found does not beat {unbeaten} beyond chance. "
                    + "Search for longer, or record a longer trace."
                : NothingLearned.Of(training, result.Plan.Parent.Name, Unchanged));
            return ExitCodes.No;
        }

        var files = await LearnedTable.WriteAsync(result.Plan, training, input.Digest, input.Source, path);
        output.WriteLine($"written: {string.Join(", ", files)}");
        return ExitCodes.Done;
    }

    private static async Task ReportAsync(ClusterTrainingResult result, string file)
    {
        var best = result.Training.BestBaseline.Name;
        var other = TableTrainer.SpellOut(
            result.Plan, TableTrainer.StartsOf(result.Plan).First(start => start.Name == best));
        var worths = ChangeWorth.Of(result.Plan, result.Training.Found, other, CancellationToken.None);
        await File.WriteAllTextAsync(
            file, TrainingReport.Write(result.Searches, result.Training, other, worths), CancellationToken.None);
    }
}
