using System.CommandLine;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Tool.Commands;
using Polyjuice.Tracing;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Traces;

/// <summary>Which workload to record, and how: the options that the commands have in common.</summary>
/// <param name="seconds">Recorded seconds, if nothing is said.</param>
internal sealed class TracedWorkload(string seconds)
{
    private readonly Argument<string> _workload = new("workload")
    {
        Description = "What to run: "
            + string.Join(", ", BenchCommand.Workloads.All.Where(w => w.HasTransactions).Select(w => w.Name)) + "."
    };
    private readonly Option<string> _policy = Text(
        "--policy", "occ", "The policy in force: the name of a built-in one, or a file.");
    private readonly Option<string> _theta = Text(
        "--theta", "0", "Zipfian skew of the choice of grains; 0 is uniform.");
    private readonly WorkloadOptions _sizes = new();
    private readonly Option<string?> _rate = Optional(
        "--rate", "Arrivals a second of an open loop, instead of the closed loop.");
    private readonly Option<string> _seconds = Text("--seconds", seconds, "Recorded seconds.");
    private readonly Option<string?> _transactions = Transactions("--transactions", "--seconds");
    private readonly Option<string> _window = Text(
        "--window-ms", "10000", "How long a window is: all in it is recorded.");
    private readonly Option<string?> _period = Optional(
        "--period-ms",
        "How far apart the starts of windows are. Default: as long as a window, which records everything.");
    private readonly Option<string> _chunks = Text(
        "--chunks", "16",
        "Chunks that a silo may hold, of 0.2 MB each; what does not fit is dropped to the end of the window.");
    private readonly Option<bool> _calls = new("--calls")
    {
        Description =
            "Also records the call that each transaction began with, with its arguments, which may be personal data; "
            + "so that 'trace replay' can make it again."
    };
    private readonly Option<string> _arguments = Text(
        "--argument-bytes", "4096", "With --calls: a call whose arguments have more bytes is recorded without them.");
    private readonly Option<bool> _states = new("--states")
    {
        Description =
            "With --calls: also records each state that a window accesses, as of the window's begin, so that calls can "
            + "be made again from there."
    };
    private readonly Option<string?> _salt = Optional(
        "--salt", "Hashes grains' keys by this secret before they are written; 8 characters at least.");

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_workload);
        foreach (Option option in (Option[])[_policy, _theta, _rate, _seconds, _transactions]) command.Add(option);
        _sizes.AddTo(command);
        foreach (Option option in (Option[])[_window, _period, _chunks, _calls, _arguments, _states, _salt])
            command.Add(option);
    }

    /// <summary>What was typed.</summary>
    /// <exception cref="CommandInputException">Something of it is not valid.</exception>
    public BenchmarkPlan PlanOf(ParseResult parsed)
    {
        var definition = BenchmarkInput.Workload(BenchCommand.Workloads, parsed.GetValue(_workload)!);
        if (!definition.HasTransactions)
            throw new CommandInputException($"{definition.Name} has no transactions, so there is nothing to record.");
        var measured = parsed.Number(_seconds, 0.1, 3_600);
        return new BenchmarkPlan
        {
            Workload = definition,
            Policies = [Single(CommandInput.Policies(parsed.GetValue(_policy)!), _policy.Name)],
            Thetas = [Single(BenchmarkInput.Thetas(parsed.GetValue(_theta)!), _theta.Name)],
            Shape = _sizes.ShapeOf(parsed),
            Clients = _sizes.ClientsOf(parsed),
            Rate = parsed.NumberOrNone(_rate, 1, 10_000_000),
            Warmup = TimeSpan.FromSeconds(Math.Min(1, measured / 4)),
            ProcessWarmup = TimeSpan.FromSeconds(Math.Min(5, 2 * measured)),
            Measured = TimeSpan.FromSeconds(measured),
            OperationsPerInterval = parsed.TransactionsOrNone(_transactions),
            IncludePlain = false,
            Parameters = _sizes.ParametersOf(parsed),
            Seed = _sizes.SeedOf(parsed),
        };
    }

    /// <summary>How it is recorded.</summary>
    /// <exception cref="CommandInputException">Something of it is not valid.</exception>
    public TraceRecorderOptions OptionsOf(ParseResult parsed)
    {
        var window = parsed.Number(_window, 1, 86_400_000);
        var period = parsed.NumberOrNone(_period, window, 86_400_000) ?? window;
        if (parsed.GetValue(_salt) is { Length: < 8 })
            throw new CommandInputException($"{_salt.Name}: a secret has 8 characters at least.");
        if (parsed.GetValue(_salt) is not null && parsed.GetValue(_calls))
            throw new CommandInputException(
                $"{_calls.Name} and {_salt.Name} exclude each other: arguments would still tell what hashed keys hide, "
                + "and no call could be made again.");
        if (parsed.GetValue(_states) && !parsed.GetValue(_calls))
            throw new CommandInputException(
                $"{_states.Name} needs {_calls.Name}: states are what calls are made again from.");
        return new TraceRecorderOptions
        {
            RecordsStates = parsed.GetValue(_states),
            WindowLengthMicroseconds = (long)(window * 1_000),
            WindowPeriodMicroseconds = (long)(period * 1_000),
            ChunksMax = parsed.Whole(_chunks, 2, 1_024),
            KeySalt = parsed.GetValue(_salt),
            RecordsCalls = parsed.GetValue(_calls),
            ArgumentBytesMax = parsed.Whole(_arguments, 0, 1 << 20),
        };
    }

    private static T Single<T>(IReadOnlyList<T> values, string option) =>
        values.Count == 1
            ? values[0]
            : throw new CommandInputException($"{option}: one is recorded at a time, and these are {values.Count}.");
}
