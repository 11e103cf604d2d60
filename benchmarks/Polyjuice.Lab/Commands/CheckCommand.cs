using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.ListAppend;
using Polyjuice.Policies;
using Polyjuice.Testing;
using Smallbank.Workload;
using Tpcc.Workload;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab check</c></summary>
internal static class CheckCommand
{
    private const string OrleansHost = "orleans";
    private const string RandomPolicies = "random";
    private const int SeedsMax = 1_000_000;

    private static readonly (WorkloadDefinition Workload, WorkloadParameters Parameters, double Theta)[] _workloads =
    [
        (ListAppendWorkload.Definition, new WorkloadParameters(12), 0.8),
        (SmallbankWorkload.Smallbank, new WorkloadParameters(60), 0.8),
        (TpccWorkload.Definition, new WorkloadParameters { Scale = 0.003 }, 0),
    ];

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var host = Text("--host", OrleansHost, "orleans: real silos in this process. The engine alone, in virtual time, is checked by 'polyjuice check'.");
        var workload = Optional("--workload", $"What clients do: {string.Join(", ", _workloads.Select(one => one.Workload.Name))}. Default: each in turn.");
        var policy = Text("--policy", RandomPolicies, "random for built-in and random tables in turn, the name of a built-in policy, or a policy file.");
        var faults = Text("--faults", "all", $"What goes wrong, separated by commas: all, none, {string.Join(", ", Enum.GetNames<FaultKind>().Select(name => name.ToLowerInvariant()))}.");
        var every = Text("--every", "3", "Mean seconds from one fault of a kind to the next.");
        var seed = Text("--seed", "1", "The first run's; the next ones have those that follow.");
        var seeds = Optional("--seeds", "So many runs at the most. Default: as many as there is time for.");
        var minutes = Text("--minutes", "1", "No run begins after so many minutes.");
        var seconds = Text("--seconds", "8", "How long the clients of a run go on.");
        var silos = Text("--silos", "3", "Silos of a run.");
        var partitions = Text("--partitions", "6", "Log partitions.");
        var clients = Text("--clients", "16", "Clients of the closed loop.");
        var evidence = new Option<string?>("--evidence") { Description = "Where what is known of a failed run is kept. Default: beside the program.", HelpName = "folder" };
        var command = new Command("check", "Runs workloads on real silos that crash, stand still, leave, join and lose messages, under changing tables, and checks isolation, money, TPC-C's conditions, durability and that everything ends.")
        {
            host, workload, policy, faults, every, seed, seeds, minutes, seconds, silos, partitions, clients, evidence,
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            if (parsed.GetValue(host) != OrleansHost) throw new CommandInputException($"{host.Name}: there is no host \"{parsed.GetValue(host)}\" here. Valid: {OrleansHost}. The engine alone: polyjuice check.");
            var chosen = parsed.GetValue(workload) is { } name
                ? [.. _workloads.Where(one => one.Workload.Name == name)]
                : _workloads;
            if (chosen.Length == 0) throw new CommandInputException($"{workload.Name}: there is no workload \"{parsed.GetValue(workload)}\". Valid: {string.Join(", ", _workloads.Select(one => one.Workload.Name))}.");
            var kinds = FaultsOf(parsed.GetValue(faults)!, faults.Name);
            var mean = TimeSpan.FromSeconds(parsed.Number(every, 0.01, 3_600));
            var policies = parsed.GetValue(policy) == RandomPolicies ? null : CommandInput.Policies(parsed.GetValue(policy)!)[0];
            var (first, count) = (parsed.Whole(seed, 0, int.MaxValue - SeedsMax), parsed.WholeOrNone(seeds, 1, SeedsMax) ?? SeedsMax);
            var most = TimeSpan.FromMinutes(parsed.Number(minutes, 0.01, 100_000));
            var run = new ChaosCase
            {
                Workload = chosen[0].Workload, Parameters = chosen[0].Parameters, Policy = policies, Seed = 0,
                Silos = parsed.Whole(silos, 1, PolyjuiceTestClusterOptions.MaxSilos),
                Partitions = parsed.Whole(partitions, 1, 1_024), Clients = parsed.Whole(clients, 1, 10_000),
                Time = TimeSpan.FromSeconds(parsed.Number(seconds, 0.1, 3_600)), EvidenceFolder = parsed.GetValue(evidence),
            };
            return RunAsync(run, chosen, kinds, mean, first, count, most, parsed.InvocationConfiguration.Output, cancellationToken);
        });
        return command;
    }

    private static async Task<int> RunAsync(
        ChaosCase run, (WorkloadDefinition Workload, WorkloadParameters Parameters, double Theta)[] workloads, FaultKind[] kinds, TimeSpan mean, int first, int count, TimeSpan most, TextWriter output, CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        var (runs, committed, faults) = (0, 0L, 0L);
        for (var number = 0; number < count && Stopwatch.GetElapsedTime(began) < most && !cancellationToken.IsCancellationRequested; number++)
        {
            var seed = first + number;
            var (workload, parameters, theta) = workloads[number % workloads.Length];
            var script = kinds.Length == 0 ? null : kinds.Aggregate(new ClusterFaults { Seed = seed, FaultsMax = 10_000 }, (script, kind) => script.Every(kind, mean));
            try
            {
                var result = await ChaosRun.RunAsync(run with { Workload = workload, Parameters = parameters with { Seed = (ulong)seed }, Theta = theta, Seed = seed, Faults = script }, cancellationToken);
                await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{Stopwatch.GetElapsedTime(began).TotalSeconds,6:0} s  seed {seed}, {workload.Name}: {result}"));
                runs++;
                committed += result[OperationOutcome.Committed];
                faults += result.Ledger?.Entries.Count(entry => entry.Target is not null) ?? 0;
            }
            catch (ClusterRunException exception)
            {
                await output.WriteLineAsync($"FAILED seed {seed}, {workload.Name}: {exception.Message}");
                await output.WriteLineAsync(string.Create(
                    CultureInfo.InvariantCulture,
                    $"Once more (the same choices and faults; what meets when, real time decides):{Environment.NewLine}  {LabCommandLine.Name} check --workload {workload.Name} --seed {seed} --seeds 1 --seconds {run.Time.TotalSeconds} --silos {run.Silos} --partitions {run.Partitions} --clients {run.Clients} --every {mean.TotalSeconds} --policy {run.Policy?.Name ?? RandomPolicies} --faults {(kinds.Length == 0 ? "none" : string.Join(',', kinds).ToLowerInvariant())}"));
                return ExitCodes.No;
            }
        }

        await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{runs} runs, {committed:N0} transactions committed, {faults:N0} faults: no anomaly, nothing lost, everything ended"));
        return runs > 0 ? ExitCodes.Done : ExitCodes.Cancelled;
    }

    private static FaultKind[] FaultsOf(string text, string option)
    {
        if (text == "none") return [];
        if (text == "all") return Enum.GetValues<FaultKind>();
        return [.. CommandInput.Parts(text, option).Select(name => Enum.TryParse<FaultKind>(name, ignoreCase: true, out var kind) && Enum.IsDefined(kind) && !char.IsDigit(name[0])
            ? kind
            : throw new CommandInputException($"{option}: there is no fault \"{name}\". Valid: all, none, {string.Join(", ", Enum.GetNames<FaultKind>().Select(known => known.ToLowerInvariant()))}."))];
    }
}
