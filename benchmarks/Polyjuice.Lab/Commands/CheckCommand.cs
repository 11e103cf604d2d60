using System.CommandLine;
using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.ListAppend;
using Polyjuice.Lab.Workloads.Mixed;
using Polyjuice.Testing;
using Smallbank.Workload;
using Tpcc.Workload;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab check</c></summary>
internal static class CheckCommand
{
    /// <summary>Built-in and random tables in turn.</summary>
    public const string RandomPolicies = "random";

    private const string OrleansHost = "orleans";
    private const int SeedsMax = 1_000_000;
    private const double MinutesMax = 100_000;

    private static readonly CheckWorkload _mixed = new(MixedWorkload.Definition, new WorkloadParameters(12), 0.8);
    private static readonly CheckWorkload _turns = new(MixedWorkload.WithTurns, new WorkloadParameters(12), 0.8)
    {
        ClientsMax = 16
    };
    private static readonly CheckWorkload _smallbank = new(
        SmallbankWorkload.Smallbank, new WorkloadParameters(60), 0.8);
    private static readonly CheckWorkload _tpcc = new(
        TpccWorkload.Definition, new WorkloadParameters { Scale = 0.003 }, 0)
    {
        ClientsMax = 16
    };

    // Its lists only grow, which the mixed workload's do not: for short runs, and by name.
    private static readonly CheckWorkload _listAppend = new(
        ListAppendWorkload.Definition, new WorkloadParameters(12), 0.8);
    private static readonly CheckWorkload[] _inTurn = [_mixed, _turns, _mixed, _smallbank, _mixed, _tpcc];
    private static readonly CheckWorkload[] _workloads = [_mixed, _turns, _smallbank, _tpcc, _listAppend];

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var host = Text(
            "--host", OrleansHost,
            "orleans: real silos in this process. The engine alone, in virtual time, is checked by 'polyjuice check'.");
        var workload = Optional(
            "--workload", $"What clients do: {Names(_workloads)}. Default: {Names(_inTurn.Distinct())} in turn.");
        var policy = Text(
            "--policy", RandomPolicies,
            "random for built-in and random tables in turn, the name of a built-in policy, or a policy file.");
        var faults = Text(
            "--faults",
            "all",
            $"What goes wrong, separated by commas: all, none, {string.Join(", ", Enum.GetNames<FaultKind>().Select(name => name.ToLowerInvariant()))}.");
        var every = Optional(
            "--every",
            $"Mean seconds from one fault of a kind to the next. Default {CheckPace.Short.Every}; with --committed "
            + $"{CheckPace.Night.Every}.");
        var pause = Optional(
            "--pause",
            "Seconds for which a silo stands still that does. Default: up to 1, and with --committed 30 in some runs.");
        var seed = Text("--seed", "1", "The first run's; the next ones have those that follow.");
        var seeds = Optional("--seeds", "So many runs at the most. Default: as many as there is time for.");
        var minutes = Optional(
            "--minutes", "No run begins after so many minutes. Default 1; with --committed as many as it takes.");
        var committed = Optional(
            "--committed",
            "Goes on until so many transactions have committed, and fails if a kind of anything was never exercised by "
            + "then: for a night.");
        var seconds = Optional(
            "--seconds",
            $"How long the clients of a run go on. Default {CheckPace.Short.Seconds}; with --committed "
            + $"{CheckPace.Night.Seconds}.");
        var silos = Optional("--silos", "Silos of a run. Default: 1 to 3.");
        var engines = Optional("--engines-per-silo", "Transaction engines of each silo. Default: 1 to 3.");
        var partitions = Optional(
            "--partitions", "Log partitions. Default: as many as engines of all silos, or up to four more.");
        var logs = Optional("--logs", "Where logs are: memory or files. Default: either.");
        var swap = Optional(
            "--swap-every",
            "Milliseconds for which a table is in force, where they take turns. Default: 300 or 3,000.");
        var append = Optional(
            "--append-delay", "Milliseconds that each append takes longer. Default: none, or up to 10.");
        var network = Optional(
            "--network-delay", "Milliseconds that each message is under way. Default: none, or up to 3.");
        var response = Text("--response-timeout", "2", "Seconds that a client waits for an answer.");
        var clients = Optional(
            "--clients",
            $"Clients of the closed loop. Default {CheckPace.Short.Clients}; with --committed "
            + $"{CheckPace.Night.Clients}.");
        var evidence = new Option<string?>("--evidence")
        {
            Description = "Where what is known of a failed run is kept. Default: beside the program.",
            HelpName = "folder"
        };
        var command = new Command(
            "check",
            "Runs workloads on real silos that crash, stand still, leave, join and lose messages, under changing "
            + "tables, and checks isolation, money, TPC-C's conditions, durability and that everything ends in its "
            + "time. What is left open, each run's seed decides.")
        {
            host, workload, policy, faults, every, pause, seed, seeds, minutes, committed, seconds, silos, engines,
            partitions, logs, swap, append, network, response, clients, evidence,
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            if (parsed.GetValue(host) != OrleansHost)
                throw new CommandInputException(
                    $"{host.Name}: there is no host \"{parsed.GetValue(host)}\" here. Valid: {OrleansHost}. The engine "
                    + "alone: polyjuice check.");
            var most = parsed.WholeOrNone(committed, 1, int.MaxValue);
            var pace = most is null ? CheckPace.Short : CheckPace.Night;
            var plan = new CheckPlan
            {
                Workloads = WorkloadsOf(parsed.GetValue(workload), workload.Name),
                Faults = FaultsOf(parsed.GetValue(faults)!, faults.Name),
                Every = TimeSpan.FromSeconds(NumberOrNone(parsed, every, 0.01, 3_600) ?? pace.Every),
                Policy = parsed.GetValue(policy) == RandomPolicies
                    ? null
                    : CommandInput.Policies(parsed.GetValue(policy)!)[0],
                Seed = parsed.Whole(seed, 0, int.MaxValue - SeedsMax),
                Seeds = parsed.WholeOrNone(seeds, 1, SeedsMax) ?? SeedsMax,
                Time = TimeSpan.FromMinutes(
                    NumberOrNone(parsed, minutes, 0.01, MinutesMax) ?? (most is null ? 1 : MinutesMax)),
                Committed = most,
                RunTime = TimeSpan.FromSeconds(NumberOrNone(parsed, seconds, 0.1, 3_600) ?? pace.Seconds),
                Silos = parsed.WholeOrNone(silos, 1, PolyjuiceTestClusterOptions.MaxSilos),
                EnginesPerSilo = parsed.WholeOrNone(engines, 1, 16),
                Partitions = parsed.WholeOrNone(partitions, 1, 1_024),
                Clients = parsed.WholeOrNone(clients, 1, 10_000),
                ClientsMost = pace.Clients,
                ResponseTimeout = TimeSpan.FromSeconds(parsed.Number(response, 0.1, 600)),
                Logs = LogsOf(parsed.GetValue(logs), logs.Name),
                SwapInterval = Milliseconds(NumberOrNone(parsed, swap, 1, 3_600_000)),
                AppendDelay = Milliseconds(NumberOrNone(parsed, append, 0, 10_000)),
                NetworkDelay = Milliseconds(NumberOrNone(parsed, network, 0, 10_000)),
                Pause = NumberOrNone(parsed, pause, 0.001, 600) is { } still ? TimeSpan.FromSeconds(still) : null,
                Evidence = parsed.GetValue(evidence),
            };
            return new CheckSession(plan, parsed.InvocationConfiguration.Output).RunAsync(cancellationToken);
        });
        return command;
    }

    private static string Names(IEnumerable<CheckWorkload> workloads) =>
        string.Join(", ", workloads.Select(one => one.Definition.Name));

    private static CheckWorkload[] WorkloadsOf(string? name, string option)
    {
        if (name is null) return _inTurn;
        return _workloads.FirstOrDefault(one => one.Definition.Name == name) is { } chosen
            ? [chosen]
            : throw new CommandInputException(
                $"{option}: there is no workload \"{name}\". Valid: {Names(_workloads)}.");
    }

    private static ChaosLogs? LogsOf(string? name, string option) => name switch
    {
        null => null,
        "memory" => ChaosLogs.Memory,
        "files" => ChaosLogs.Files,
        _ => throw new CommandInputException($"{option}: there are no logs in \"{name}\". Valid: memory, files."),
    };

    private static double? NumberOrNone(ParseResult parsed, Option<string?> option, double least, double most) =>
        parsed.GetValue(option) is { } text ? CommandInput.Number(text, option.Name, least, most) : null;

    private static TimeSpan? Milliseconds(double? number) =>
        number is { } milliseconds ? TimeSpan.FromMilliseconds(milliseconds) : null;

    private static FaultKind[] FaultsOf(string text, string option)
    {
        if (text == "none") return [];
        if (text == "all") return Enum.GetValues<FaultKind>();
        return [.. CommandInput.Parts(text, option)
            .Select(name => Enum.TryParse<FaultKind>(name, ignoreCase: true, out var kind) && Enum.IsDefined(kind)
                && !char.IsDigit(name[0])
                ? kind
                : throw new CommandInputException(
                    $"{option}: there is no fault \"{name}\". Valid: all, none, "
                    + $"{string.Join(", ", Enum.GetNames<FaultKind>().Select(known => known.ToLowerInvariant()))}."))];
    }
}
