using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Polyjuice.Cli.Checking;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Canaries;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice check</c></summary>
internal static class CheckCommand
{
    private const string RandomPolicies = "random";
    private const string EngineHost = "engine";

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var seeds = Text("--seeds", "100", "How many runs.");
        var from = Text(
            "--from", "1",
            "The first seed, and the start of a hunt: the same start gives the same runs, on however many threads.");
        var seed = Optional("--seed", "Makes the run of this seed alone; what a failure prints.");
        var aims = new Option<string?>("--aims")
        {
            Description =
                "With --seed or --unguided: faults at steps of the protocol, separated by commas, such as "
                + "loss@Outcome#2 (the second), loss@Outcome#2x3 (and the two after it), silo-crash@log.Prepare%30 "
                + "(30 of 100)."
        };
        var streams = new Option<string?>("--streams")
        {
            Description =
                "With --seed or --unguided: seeds of single streams of random numbers, such as load=3,network=77; "
                + "there are load, network, storage, faults and policies."
        };
        var unguided = new Option<bool>("--unguided")
        {
            Description =
                "One seed after the other. Otherwise what earlier runs have reached guides the choice of later ones."
        };
        var shape = new Option<string?>("--shape")
        {
            Description =
                $"Family of runs: {string.Join("; ", Shapes.Names.Select(s => $"{s.Name} ({s.Summary})"))}. Default: "
                + $"{Shapes.Any}."
        };
        var workload = new Option<string?>("--workload")
        {
            Description = $"What clients do: {string.Join(", ", Workloads)}. Default: listappend, or the shape's own."
        };
        var host = Text(
            "--host", EngineHost,
            "engine: the engine alone, in virtual time. Real silos are checked by the laboratory of the repository.");
        var policy = Text(
            "--policy", RandomPolicies, "random for random tables, the name of a built-in policy, or a policy file.");
        var silos = Optional("--silos", "Silos. Default: drawn from the seed, as with the next four.");
        var partitions = Optional("--partitions", "Log partitions.");
        var keys = Optional("--keys", "Grains.");
        var clients = Optional("--clients", "Clients of the closed loop.");
        var transactions = Optional("--transactions", "Transactions of a run.");
        var faults = Text(
            "--faults", "all", $"What goes wrong, separated by commas: {string.Join(", ", FaultNames.All)}.");
        var storage = Text(
            "--storage", "plain",
            "What the logs are kept on: plain (lists of batches), blobs or disk (the segmented log, with checkpoints, "
            + "on a simulated device), rows (each state in a row of its own, as Orleans' providers keep it) or mixed "
            + "(some in rows, some in logs).");
        var faultsMax = Optional("--faults-max", "So many faults happen in a run at the most.");
        var jobs = Text("--jobs", "1", "Threads.");
        var minutes = Optional("--minutes", "No seed begins after so many minutes.");
        var history = new Option<string?>("--history")
        {
            Description =
                "Writes histories as JSON lines in Jepsen's format; with more than one seed, each to a file of its own "
                + "with the seed in its name.",
            HelpName = "file"
        };
        var breaks = new Option<string?>("--break")
        {
            Description =
                "Removes a rule from the engine, to see that it is missed; list names them. With several names "
                + "separated by commas, with all, or with --starts: prints how many runs hunts took to find each, at "
                + "most --seeds. compare: prints in how many of the seeds the specification refuses a run without the "
                + "rule, and in how many all else notices it."
        };
        var starts = Text("--starts", "1", "With --break: how many hunts for each rule, each from a seed of its own.");
        var trace = new Option<bool>("--trace")
        {
            Description = "Prints everything that happened in a run that fails, and does not shrink it."
        };
        var shrink = Text(
            "--shrink-seconds", "20", "How long to look for a smaller run that fails in the same way; 0 not to.");
        var command = new Command(
            "check",
            "Runs simulated clusters under faults, and checks isolation, recoverability, durability and that "
            + "everything ends.")
        {
            seeds, from, seed, aims, streams, unguided, shape, workload, host, policy, silos, partitions, keys, clients,
            transactions, faults, storage, faultsMax, jobs, minutes, history, breaks, starts, trace, shrink,
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            RequireEngine(parsed.GetValue(host)!);
            var output = parsed.InvocationConfiguration.Output;
            var removed = parsed.GetValue(breaks);
            if (removed is not null) RemovableRules.Allow();
            if (removed == "list")
            {
                RefuseOthers(parsed, "--break list", host, breaks);
                return Task.FromResult(ListCanaries(output));
            }

            var compares = removed == "compare";
            if (compares) RefuseOthers(parsed, "--break compare", host, breaks, seeds);
            var tabled = compares ? null : Tabled(removed, parsed.GetResult(starts) is { Implicit: false });
            if (tabled is not null)
            {
                const string table = "a table of rules (--break all, several names, or --starts)";
                RefuseOthers(parsed, table, host, breaks, starts, seeds, from, jobs, unguided);
            }

            var canary = removed is null || compares || tabled is not null ? null : AllCanaries.Get(removed);
            var one = parsed.WholeOrNone(seed, 0, int.MaxValue);
            var isGuided = one is null && !parsed.GetValue(unguided);
            if (isGuided && (parsed.GetValue(aims) is not null || parsed.GetValue(streams) is not null))
                throw new ArgumentException(
                    "--aims and --streams: a hunt chooses them; give --seed or --unguided too.");
            var seedCount = one is null ? parsed.Whole(seeds, 1, int.MaxValue) : 1;
            var policyText = parsed.GetValue(policy)!;
            var plan = new CheckPlan
            {
                From = (ulong)(one ?? parsed.Whole(from, 0, int.MaxValue)),
                IsGuided = isGuided,
                Suits = parsed.GetValue(shape) is null ? canary?.Shape : null,
                Seeds = seedCount,
                Jobs = parsed.Whole(jobs, 1, 256),
                TimeMax = parsed.GetValue(minutes) is { } m
                    ? TimeSpan.FromMinutes(CommandInput.Number(m, minutes.Name, 0.01, 100_000))
                    : TimeSpan.MaxValue,
                History = parsed.GetValue(history) is { } file ? new HistoryFile(file, seedCount > 1) : null,
                Case = new RunCase
                {
                    Seed = 0,
                    Shape = parsed.GetValue(shape) ?? Shapes.Any,
                    Probes = true,
                    Streams = RunStreams.Parse(parsed.GetValue(streams) ?? ""),
                    Aims =
                    [
                        .. (parsed.GetValue(aims) ?? "")
                            .Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
                            .Select(Aim.Parse)
                    ],
                    Workload = parsed.GetValue(workload) is { } name ? WorkloadOf(name) : null,
                    Policy = policyText == RandomPolicies ? null : Policy(policyText),
                    Faults = FaultNames.Parse(parsed.GetValue(faults)!),
                    Storage = canary is { } chosen && parsed.GetResult(storage) is not { Implicit: false }
                        ? chosen.Storage
                        : StorageOf(parsed.GetValue(storage)!),
                    FaultBudget = parsed.WholeOrNone(faultsMax, 0, int.MaxValue) ?? long.MaxValue,
                    Silos = parsed.WholeOrNone(silos, 1, 64),
                    Partitions = parsed.WholeOrNone(partitions, 1, 1_024),
                    Keys = parsed.WholeOrNone(keys, 1, 100_000),
                    Clients = parsed.WholeOrNone(clients, 1, 10_000),
                    Transactions = parsed.WholeOrNone(transactions, 1, 1_000_000),
                    Breaks = canary?.Switch ?? ProtocolBreaks.None,
                },
            };
            Shapes.Require(plan.Case.Shape);
            // Off this thread: Ctrl+C is heard while the action has returned its task.
            if (compares)
                return Task.Run(
                    () => ComparisonTable.Write(output, seedCount, cancellationToken), CancellationToken.None);
            if (tabled is not null)
            {
                var table = new CanaryTable(
                    tabled, plan.From, parsed.Whole(starts, 1, 1_000), seedCount, plan.Jobs, isGuided);
                return Task.Run(() => table.Write(output, cancellationToken), CancellationToken.None);
            }

            return Task.Run(
                () => Run(
                    plan,
                    policyText,
                    parsed.Whole(shrink, 0, 86_400),
                    parsed.GetValue(trace),
                    output,
                    cancellationToken),
                CancellationToken.None);
        });
        return command;
    }

    /// <summary>The canaries whose hunts are counted; none where a failure is to be looked at.</summary>
    private static IReadOnlyList<Canary>? Tabled(string? removed, bool hasStarts)
    {
        if (removed == "all") return AllCanaries.List;
        if (removed is null) return hasStarts ? throw new ArgumentException("--starts: only with --break.") : null;
        return hasStarts || removed.Contains(',', StringComparison.Ordinal)
            ? [.. removed.Split(',').Select(AllCanaries.Get)]
            : null;
    }

    /// <summary>Each rule has runs of its own: what else is given would not count, and not show that.</summary>
    private static void RefuseOthers(ParseResult parsed, string with, params Option[] taken)
    {
        foreach (var option in parsed.CommandResult.Command.Options)
        {
            if (parsed.GetResult(option) is not { Implicit: false } || taken.Contains(option)) continue;
            var names = string.Join(", ", taken.Select(one => one.Name));
            throw new ArgumentException($"{option.Name}: does not count with {with}. What counts: {names}.");
        }
    }

    private static void RequireEngine(string host)
    {
        if (host == EngineHost) return;
        throw new ArgumentException(host == "orleans"
            ? "--host orleans: real silos under faults are checked by the laboratory: dotnet run -c Release --project "
                + "benchmarks/Polyjuice.Lab -- check. Your own grains, by Polyjuice.Testing (docs/start/test.md)."
            : $"--host: there is no host \"{host}\". Valid: {EngineHost}.");
    }

    private static StorageKind StorageOf(string name) =>
        Enum.TryParse<StorageKind>(name, ignoreCase: true, out var kind) && !char.IsDigit(name[0])
            ? kind
            : throw new ArgumentException($"--storage: '{name}' is none of plain, blobs, disk, rows, mixed.");

    private static IEnumerable<string> Workloads => Enum.GetNames<WorkloadKind>().Select(w => w.ToLowerInvariant());

    private static int Run(
        CheckPlan plan, string policy, int shrinkSeconds, bool trace, TextWriter output,
        CancellationToken cancellation)
    {
        var result = new CheckRunner(plan, cancellation).Run(output.WriteLine, policy);
        if (result.Failure is not { } failure)
        {
            CheckReport.WriteSummary(output, result, plan, policy);
            if (result.Summary.Runs > 1) output.WriteLine(LightLoad.Describe());
            return ExitCodes.Done;
        }

        if (result.Summary.Runs > 0) CheckReport.WriteSummary(output, result, plan, policy);
        if (trace) WriteTrace(output, failure);
        var smallest = failure.Case;
        if (!trace && shrinkSeconds > 0 && failure.Why.Kind != "nondeterminism")
            smallest = Shrink(failure, shrinkSeconds, output, cancellation);
        if (smallest != failure.Case && Failure(smallest) is { } small)
            failure = new CheckFailure(failure.Number, smallest, small);
        CheckReport.WriteFailure(output, failure, smallest, policy);
        return ExitCodes.No;
    }

    private static RunCase Shrink(CheckFailure failure, int seconds, TextWriter output, CancellationToken cancellation)
    {
        output.WriteLine(
            $"seed {failure.Case.Seed} fails ({failure.Why.Kind}); looking for a smaller run that does, for at most "
            + $"{seconds} s");
        var watch = Stopwatch.StartNew();
        var shrinker = new Shrinker(
            failure.Why.Kind,
            () => watch.Elapsed.TotalSeconds < seconds && !cancellation.IsCancellationRequested,
            Simulator.Run);
        var smallest = shrinker.Shrink(failure.Case);
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"after {shrinker.Runs} runs: {smallest.Transactions} "
            + $"transactions{(smallest.Clients is { } clients ? $" of {clients} clients" : "")}, {smallest.Silos} "
            + $"silos, {smallest.Keys} grains in {smallest.Partitions} partitions, "
            + $"{(smallest.FaultBudget == long.MaxValue ? "any number of" : smallest.FaultBudget)} faults"));
        return smallest;
    }

    private static void WriteTrace(TextWriter output, CheckFailure failure)
    {
        foreach (var line in Failure(failure.Case, trace: true)?.Trace ?? []) output.WriteLine(line);
    }

    private static SimulationFailedException? Failure(RunCase run, bool trace = false)
    {
        try
        {
            Simulator.Run(run, trace);
            return null;
        }
        catch (SimulationFailedException e)
        {
            return e;
        }
    }

    private static int ListCanaries(TextWriter output)
    {
        var width = AllCanaries.List.Max(c => c.Name.Length);
        foreach (var canary in AllCanaries.List)
            output.WriteLine($"{canary.Name.PadRight(width)}  {canary.Rule,-6}  {canary.Shape,-10}  {canary.Summary}");
        return ExitCodes.Done;
    }

    private static WorkloadKind WorkloadOf(string name) =>
        Enum.TryParse<WorkloadKind>(name, ignoreCase: true, out var kind) && Enum.IsDefined(kind)
            ? kind
            : throw new ArgumentException(
                $"--workload: there is no workload \"{name}\". Valid: {string.Join(", ", Workloads)}.");

    private static DocumentPolicy Policy(string text)
    {
        try
        {
            return PolicySource.LoadDocument(text);
        }
        catch (ArgumentException e)
        {
            throw new ArgumentException($"--policy: {e.Message.Split(" (Parameter", 2)[0]} Or {RandomPolicies}.");
        }
    }
}
