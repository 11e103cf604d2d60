using System.CommandLine;
using Polyjuice.Cli.Commands;
using Polyjuice.Cli.Logs;
using Polyjuice.Cli.Policies;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Training.Cluster.Commands;
using Polyjuice.Training.Cluster.Service;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>The options of <c>polyjuice trainer run</c>.</summary>
internal sealed class TrainerRunOptions
{
    private readonly Option<string> _traces = new("--traces")
    {
        Description =
            "Where silos write traces: a folder, a container's address with the prefix behind it, or the address of "
                + $"a database ({PostgreSqlLocation.Form}, {RedisLocation.Form}).",
        HelpName = "location",
        Required = true,
    };
    private readonly Option<string> _store = PolicyLocation.Store();
    private readonly Option<string> _state = new("--state")
    {
        Description = "A folder of its own for what it must not forget.", HelpName = "folder", Required = true
    };
    private readonly Option<string?> _key = PolicyLocation.Key();
    private readonly Option<string> _network = new("--network-ms")
    {
        Description = "How long a message of the cluster is under way, one way.", Required = true
    };
    private readonly Option<string> _append = new("--append-ms")
    {
        Description = "How long an append to the cluster's logs takes.", Required = true
    };
    private readonly Option<string> _silos = Text("--silos", "2", "Silos of the replay.");
    private readonly Option<string> _clients = Text(
        "--clients", "64", "Clients of the replay's closed loop: transactions at a time at the peak.");
    private readonly ReplayOptions _replay = new();
    private readonly Option<string> _budget = Text("--budget", "10m", "How long to search: 90s, 10m, 1.5h.");
    private readonly Option<string?> _evaluations = Optional("--evaluations", "Replays of a search at the most.");
    private readonly Option<string> _objective = Text(
        "--objective", "throughput", "What to search for: throughput, or p99-bounded with --p99-ms.");
    private readonly Option<string?> _p99 = Optional(
        "--p99-ms", "The 99th percentile of latency may be so much, with --objective p99-bounded.");
    private readonly Option<string> _algorithm = Text(
        "--algorithm",
        TableSearches.All[0].Name,
        "How to search: " + string.Join(", ", TableSearches.All.Select(search => search.Name)) + ".");
    private readonly Option<string> _threads = Text("--threads", "2", "Replays at a time.");
    private readonly Option<string> _seed = Text("--seed", "1", "Of all random choices.");
    private readonly Option<string> _threshold = Text(
        "--threshold", "0.15",
        "How far the forecast peak must be from the one that the table was trained for, as a share of it.");
    private readonly Option<string> _forecast = Text(
        "--forecast", "week",
        "What tables are for: week, the peak of the coming one; now, the load that there is, and another table each "
        + "time it shifts.");
    private readonly Option<string> _window = Text(
        "--window", "1h",
        "What one conflict rate is taken of: 5m, 15m, 1h, …, a whole part of a day; with --forecast now from 10s on.");
    private readonly Option<string?> _first = Optional(
        "--first-after",
        "Trains the first table after so many windows. Default: those of a day; with --forecast now 3.");
    private readonly Option<string> _conflict = Text(
        "--conflict-interval-ms", "10",
        "Transactions that arrive within the same interval of this length are in conflict if they access the same: "
        + "about as long as one is under way.");
    private readonly Option<string> _poll = Text("--poll", "1m", "How often to look for traces.");
    private readonly Option<string> _quiet = Text(
        "--quiet-after", "2h",
        "A silo's last file that has not grown for so long is done. Longer than silos write one file.");
    private readonly Option<string?> _keep = Optional(
        "--keep-traces",
        "Deletes files of traces that were read and have not changed for so long. Default: deletes nothing.");
    private readonly Option<string> _parent = Text(
        "--parent", "ic3",
        "What the first table takes from where it says nothing: a built-in policy or a file. Later ones take it from "
        + "what is in force.");
    private readonly Option<string> _name = Text(
        "--name", "learned", "What tables are named by, with a number behind it.");
    private readonly Option<string> _by = Text("--by", "trainer", "Who publishes, for people.");

    private readonly ClusterCommandOptions _cluster = new();

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[_traces, _store, _state, _key, _network, _append, _silos, _clients])
            command.Add(option);
        _replay.AddTo(command);
        foreach (Option option in (Option[])[
            _budget, _evaluations, _objective, _p99, _algorithm, _threads, _seed, _threshold, _forecast, _window,
            _first, _conflict, _poll, _quiet, _keep, _parent, _name, _by
        ])
            command.Add(option);
        _cluster.AddTo(command);
    }

    /// <summary>What they say.</summary>
    /// <exception cref="ArgumentException">Something of it is not valid.</exception>
    /// <exception cref="IOException">A file that they name can't be read.</exception>
    public TrainerSetup Read(ParseResult parsed)
    {
        var clients = parsed.Whole(_clients, 1, 100_000);
        var seed = (ulong)parsed.Whole(_seed, 0, int.MaxValue);
        var grid = GridOf(parsed.GetValue(_window)!, _window.Name);
        var forecast = ForecastOf(parsed.GetValue(_forecast)!, _forecast.Name);
        var retraining = RetrainingOptions.For(forecast, grid);
        if (forecast == ForecastKind.Week && grid.Length < WindowGrid.SeasonalLengthMin)
            throw new CommandInputException(
                $"{_window.Name}: days and weeks are known of windows of {WindowGrid.SeasonalLengthMin.TotalMinutes} "
                + $"minutes and more; shorter ones are for {_forecast.Name} now.");
        var searches = TableSearches.Named(parsed.GetValue(_algorithm)!, _algorithm.Name);
        if (searches.Count != 1)
            throw new CommandInputException($"{_algorithm.Name}: one algorithm, not {searches.Count}.");
        var options = new TrainerOptions
        {
            StateFolder = parsed.GetValue(_state)!,
            Settings = _replay.Read(
                parsed,
                parsed.Whole(_silos, 1, 64),
                clients,
                parsed.Milliseconds(_network),
                parsed.Milliseconds(_append)),
            Windows = grid,
            Forecast = forecast,
            Collecting = new TraceCollectorOptions
            {
                QuietAfter = parsed.Duration(_quiet),
                ConflictIntervalMicroseconds = (long)(1_000 * parsed.Number(_conflict, 0.001, 3_600_000)),
                KeepFor = parsed.DurationOrNone(_keep),
            },
            Retraining = retraining with
            {
                Threshold = parsed.Number(_threshold, 0.01, 10),
                FirstAfterWindows = parsed.WholeOrNone(_first, 1, 10_000) ?? retraining.FirstAfterWindows,
            },
            Objective = TableSearches.Objective(
                parsed.GetValue(_objective)!, parsed.GetValue(_p99), _objective.Name, _p99.Name),
            Search = searches[0],
            Budget = new SearchBudget(
                parsed.Duration(_budget), parsed.WholeOrNone(_evaluations, 1, int.MaxValue) ?? long.MaxValue),
            Threads = parsed.Whole(_threads, 1, 256),
            Seed = seed,
            Name = parsed.GetValue(_name)!,
            By = parsed.GetValue(_by)!,
            FirstParent = PolicySource.LoadDocument(parsed.GetValue(_parent)!).Document,
            PollInterval = parsed.Duration(_poll),
        };
        var traces = TraceLocation.Parse(parsed.GetValue(_traces)!, _traces.Name);
        var repository = RepositoryOf(parsed.GetValue(_store)!, parsed.GetValue(_key));
        return new TrainerSetup(options, traces, repository, TrainingOf(parsed, options.Settings));
    }

    private Func<TextWriter, ITableTraining>? TrainingOf(ParseResult parsed, ReplaySettings settings)
    {
        if (_cluster.ApplicationOf(parsed) is not { } application) return null;
        var (cluster, race, rounds) =
            (_cluster.ClusterOf(parsed, settings), _cluster.RaceOf(parsed), _cluster.VerdictRoundsOf(parsed));
        return output => new ClusterTableTraining(application, output)
        {
            Cluster = cluster, Race = race, VerdictRounds = rounds
        };
    }

    /// <summary>Windows as people type their length.</summary>
    public static WindowGrid GridOf(string length, string option)
    {
        try
        {
            return new WindowGrid(CommandInput.Duration(length, option));
        }
        catch (ArgumentException exception) when (exception is not CommandInputException)
        {
            throw new CommandInputException($"{option}: {exception.Message.Split(" (Parameter")[0]}");
        }
    }

    private static ForecastKind ForecastOf(string text, string option) => text switch
    {
        "week" => ForecastKind.Week,
        "now" => ForecastKind.Now,
        _ => throw new CommandInputException($"{option}: \"{text}\" is neither week nor now."),
    };

    /// <summary>
    /// Whose entries count is the silos' to say: here they only say what is in force, and so what a table must beat.
    /// </summary>
    private static PolicyRepository RepositoryOf(string store, string? key) =>
        new(
            PolicyLocation.Open(store),
            TimeProvider.System,
            key: key is null ? null : PolicyLocation.Read(key, PolicySigningKey.Parse));
}
