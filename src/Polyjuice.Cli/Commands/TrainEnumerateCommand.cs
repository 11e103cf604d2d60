using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Benchmarking.Training;
using Polyjuice.Cli.Experiments;
using Polyjuice.Cli.Training;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;
using static Polyjuice.Cli.Commands.CommandOptions;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice train enumerate</c></summary>
internal static class TrainEnumerateCommand
{
    /// <summary>How many of all tables are tried on held-out data, as many as of a search's.</summary>
    private const int Finalists = 6;

    private const ulong ChoiceStream = 0xE9C401;
    private const ulong VerdictStream = 0xE97E4D;
    private static readonly TimeSpan _linePeriod = TimeSpan.FromSeconds(20);

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var workload = new TrainingOptions();
        var parent = Text("--parent", "dirty-public", "Whose backoffs all tables have: a built-in policy or a file.");
        var brief = Text("--brief-transactions", "300", "Measured transactions of the replays that all tables get.");
        var seeds = Text("--seeds", "3", "Seeds of the search that is compared with, from --seed on.");
        var evaluations = Text("--evaluations", "600", "Replays of the search with each seed.");
        var measurements = Text("--measurements", "20", "Replays of each table in the verdict, on held-out data with seeds that nothing was chosen by.");
        var threads = Text("--threads", "2", "Replays at a time.");
        var checkpoint = new Option<string?>("--checkpoint") { Description = "Keeps every replay in files in this folder, with --trace. The same command with the same folder goes on where it was ended.", HelpName = "folder" };
        var folder = new Option<string>("--out", "-o") { Description = $"Writes {EnumerationResult.Name}.json, {EnumerationResult.Name}.svg and index.html to this folder, made if it is not there.", HelpName = "folder", Required = true };
        var command = new Command("enumerate", $"Replays all tables of a small workload, {TableEnumeration.TablesMax:n0} at the most, and says how near to the best of them the search comes. Not tried are backoffs, rows for hot participants, and early validation after the last site.");
        workload.AddTo(command);
        foreach (Option option in (Option[])[parent, brief, seeds, evaluations, measurements, threads, checkpoint, folder]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            int Whole(Option<string> option, int least, int most) => BenchmarkInput.Whole(parsed.GetValue(option)!, option.Name, least, most);

            var run = workload.RunOf(parsed);
            var settings = workload.SettingsOf(parsed);
            var from = PolicySource.Load(parsed.GetValue(parent)!).Document;
            if (TableTrainer.Reserves(from)) throw new BenchmarkInputException($"{parent.Name}: {from.Name} reserves, which a replay cannot follow.");
            var (transactions, count, replays) = (Whole(brief, 100, 10_000_000), Whole(seeds, 1, 1_000), Whole(measurements, 2, 10_000));
            var (limit, atATime) = (new SearchBudget(TimeSpan.FromDays(365), Whole(evaluations, 1, int.MaxValue)), Whole(threads, 1, 256));
            if (run is not null && parsed.GetValue(checkpoint) is not null) throw new BenchmarkInputException($"{checkpoint.Name} needs --trace: a workload is recorded anew each time, and what was replayed of another trace is of no use. Record it with 'polyjuice trace record'.");
            if (parsed.GetValue(checkpoint) is { } kept) Directory.CreateDirectory(kept);
            var files = new ExperimentFiles { Folder = parsed.GetRequiredValue(folder) };
            await files.PrepareAsync();
            var output = parsed.InvocationConfiguration.Output;
            var input = await TrainingInput.LoadAsync(workload.FilesOf(parsed), run, settings, workload.Calibrates(parsed), workload.SeedOf(parsed), output, cancellationToken);
            var plan = new TrainingPlan { Workload = input.Workload, Settings = input.Settings, Name = "best-of-all", Parent = from, Budget = limit, Seed = workload.SeedOf(parsed), Threads = atATime };
            SearchJournal? Open(TrainingPlan own, string name) => parsed.GetValue(checkpoint) is { } place ? SearchJournal.Open(Path.Combine(place, name + ".journal"), TrainingProvenance.FingerprintOf(own, input.Digest)) : null;

            // Both lengths decide, and so are part of the checkpoint: the brief one of its fingerprint, the other one of its name.
            var briefly = RecordedWorkload.Briefer(input.Settings, transactions);
            using var journal = Open(plan with { Settings = briefly }, FormattableString.Invariant($"all-{plan.Settings.Measured}"));
            var enumeration = new TableEnumeration(plan with { Journal = journal }, briefly);
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{enumeration.Count:n0} tables: every choice of version, visibility, early validation (but after the last site), waits for holders and waits for dependencies at {plan.Workload.ContendingTypes.Sum(type => plan.Workload.Catalogue.Types[type].Sites.Count)} sites; backoffs as in {from.Name}"));
            var said = Stopwatch.GetTimestamp();
            var best = enumeration.Best(Finalists, (done, total) =>
            {
                if (Stopwatch.GetElapsedTime(said) < _linePeriod) return;
                said = Stopwatch.GetTimestamp();
                output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{done:n0} of about {total:n0} replays"));
            }, cancellationToken);
            var evaluator = new ReplayEvaluator(plan.Workload, plan.Settings);
            var choice = HeldOutTrial.Run(evaluator, plan.Objective, [.. best.Select(table => new DocumentPolicy(table))], plan.Seed ^ ChoiceStream, plan.TrialReplays, atATime, cancellationToken);
            var tables = new List<IPolicyCompiler> { new DocumentPolicy(best[Enumerable.Range(0, best.Count).MaxBy(i => choice[i].Mean)]) };
            for (var seed = plan.Seed; seed < plan.Seed + (ulong)count; seed++)
            {
                var own = plan with { Name = string.Create(CultureInfo.InvariantCulture, $"{plan.Search.Name}, seed {seed}"), Parent = BuiltinPolicies.Get("ic3").Document, Seed = seed };
                using var known = Open(own, FormattableString.Invariant($"search-{seed}"));
                var result = TableTrainer.Run(own with { Journal = known }, _ => { }, cancellationToken);
                cancellationToken.ThrowIfCancellationRequested();
                tables.Add(new DocumentPolicy(result.Found));
            }

            tables.AddRange(TableTrainer.StartsOf(plan).Select(start => new DocumentPolicy(start)));
            var verdict = HeldOutTrial.Run(evaluator, plan.Objective, tables, plan.Seed ^ VerdictStream, replays, atATime, cancellationToken);
            var found = EnumerationResult.Of(plan, enumeration.Count, input.Source, input.Digest, verdict, count);
            foreach (var finding in found.Findings) output.WriteLine(finding.ToString());
            await files.WriteAsync(found, output);
            return ExitCodes.Done;
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }
}
