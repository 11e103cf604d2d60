using System.CommandLine;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Polyjuice.Training.Races;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train learn</c></summary>
internal static class TrainLearnCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var known = string.Join(
            ", ", BenchCommand.Workloads.All.Where(static one => one.HasTransactions).Select(static one => one.Name));
        var workload = new Argument<string>("workload") { Description = $"What to serve: {known}." };
        var theta = Text("--theta", "0", "Zipfian skew of the choice of grains; 0 is uniform.");
        var policy = Text(
            "--policy", "ic3",
            "The policy in force while the workload is recorded: the name of a built-in one, or a file.");
        var sizes = new WorkloadOptions(scale: "0.05");
        var recorded = Text("--record-seconds", "6", "Recorded seconds.");
        var transactions = Transactions("--record-transactions", recorded.Name);
        var budget = Text("--budget", "60s", "How long to search: 90s, 10m.");
        var interval = Text(
            "--race-seconds", "0.7", "Measured seconds of each table in a round; two fifths of it are warm-up on top.");
        var rounds = Text("--rounds", "6", "Rounds of the race at the most.");
        var verdict = Text(
            "--verdict-rounds", "12",
            "Rounds of the verdict, between the best found table and the best two that were there.");
        var file = new Option<string>("--out", "-o")
        {
            Description = "Writes the table to this file if it is better, and NAME.provenance.json beside it.",
            HelpName = "file",
            Required = true,
        };
        var json = new Option<string?>("--json")
        {
            Description =
                "Adds what it came to to this file, which 'train gains' prints; in place of an earlier run of the "
                + "same setting.",
            HelpName = "file",
        };
        var command = new SteppedCommand(
            "learn",
            "Learns a table for a workload on Orleans, the whole way: serves and records it, searches in virtual time, "
            + "and has the best tables race on the cluster with all built-in ones. Ctrl-C ends the step that is "
            + "under way. Exit code 3: no better table was found.") { workload };
        foreach (Option option in (Option[])[theta, policy]) command.Add(option);
        sizes.AddTo(command);
        foreach (Option option in (Option[])[recorded, transactions, budget, interval, rounds, verdict, file, json])
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var definition = BenchmarkInput.Workload(BenchCommand.Workloads, parsed.GetValue(workload)!);
            if (!definition.HasTransactions)
                throw new CommandInputException(
                    $"{definition.Name} has no transactions, so there is nothing to learn.");
            var seconds = TimeSpan.FromSeconds(parsed.Number(interval, 0.1, 60));
            var plan = new LearningPlan
            {
                Run = new BenchmarkPlan
                {
                    Workload = definition, Policies = CommandInput.Policies(parsed.GetValue(policy)!),
                    Thetas = [parsed.Number(theta, 0, 10)], Shape = sizes.ShapeOf(parsed),
                    Clients = sizes.ClientsOf(parsed),
                    Measured = seconds, Warmup = seconds, IncludePlain = false,
                    Parameters = sizes.ParametersOf(parsed), Seed = sizes.SeedOf(parsed),
                },
                Budget = new SearchBudget(parsed.Duration(budget)),
                File = CommandInput.OutputFile(parsed.GetRequiredValue(file), ".json", file.Name),
                Recorded = TimeSpan.FromSeconds(parsed.Number(recorded, 0.5, 600)),
                RecordedTransactions = parsed.TransactionsOrNone(transactions),
                RaceInterval = seconds,
                Race = new RaceOptions { RoundsMax = parsed.Whole(rounds, 3, 1_000) },
                VerdictRounds = parsed.Whole(verdict, 3, 1_000),
                Compares = false,
            };
            var gains = parsed.GetValue(json) is { } typed ? CommandInput.OutputFile(typed, ".json", json.Name) : null;

            // A file of something else must be known before the minutes, not after.
            if (gains is not null && File.Exists(gains)) await TrainGainsCommand.ReadAsync(gains);
            var output = parsed.InvocationConfiguration.Output;
            using var interrupt = new UserInterrupt();
            await using var outer = cancellationToken.Register(interrupt.Interrupt);
            var result = await new LearningRun(
                PolyjuiceBenchmarkCluster.StartTraceableAsync, output, interrupt).RunAsync(
                plan);
            if (result.Training?.Race is not { } race) return result.ExitCode;
            var gain = LearnedGain.Of(plan.Run, race, result.Training.Elapsed);
            output.Write(GainTable.Of([gain]));
            if (gains is not null) await LearnedGain.AddAsync(gains, gain);
            return result.ExitCode;
        });
        return command;
    }
}
