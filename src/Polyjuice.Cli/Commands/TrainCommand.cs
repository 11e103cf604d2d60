using System.CommandLine;
using System.Globalization;
using Polyjuice.Cli.Training;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice train</c></summary>
internal static class TrainCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var workload = new TrainingOptions();
        var budget = Text("--budget", "10m", "How long to search: 90s, 10m, 1.5h.");
        var evaluations = Optional("--evaluations", "Replays at the most. The same number ends at the same table on any machine, which a time does not.");
        var objective = Text("--objective", "throughput", "What to search for: throughput, or p99-bounded with --p99-ms.");
        var p99 = Optional("--p99-ms", "The 99th percentile of latency may be so much, with --objective p99-bounded.");
        var algorithm = Text("--algorithm", TableSearches.All[0].Name, string.Join("; ", TableSearches.All.Select(search => $"{search.Name}: {search.Description}")) + ". Several, separated by commas, have the whole budget each, and the best table counts.");
        var parent = Text("--parent", "ic3", "What the table takes from where it says nothing, and must beat like every built-in one: a built-in policy or a file.");
        var threads = Text("--threads", "2", "Replays at a time.");
        var checkpoint = new Option<string?>("--checkpoint") { Description = "Keeps every replay in this file. The same command with the same file goes on where it was ended.", HelpName = "file" };
        var report = new Option<string?>("--report") { Description = "Writes a page to this file: the searches' curves, the table against the best one that was there, and what its rows are worth.", HelpName = "file" };
        var file = new Option<string>("--out", "-o") { Description = "Writes the table to this file, and NAME.provenance.json beside it. Its name is the table's.", HelpName = "file", Required = true };
        var command = new Command("train", "Searches a policy for a workload, on a recorded trace of it in virtual time. Writes nothing that does not beat every built-in table on the part of the trace that the search has not seen (exit code 1).");
        workload.AddTo(command);
        foreach (Option option in (Option[])[budget, evaluations, objective, p99, algorithm, parent, threads, checkpoint, report, file]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            var path = CommandInput.OutputFile(parsed.GetRequiredValue(file), ".json", file.Name);
            if (parsed.GetValue(report) is { } page) CommandInput.OutputFile(page, ".html", report.Name);
            var settings = workload.SettingsOf(parsed);
            var limit = new SearchBudget(parsed.Duration(budget), parsed.WholeOrNone(evaluations, 1, int.MaxValue) ?? long.MaxValue);
            var kept = parsed.GetValue(checkpoint);
            var goal = TableSearches.Objective(parsed.GetValue(objective)!, parsed.GetValue(p99), objective.Name, p99.Name);
            var searches = TableSearches.Named(parsed.GetValue(algorithm)!, algorithm.Name);
            if (searches.Count > 1 && kept is not null) throw new CommandInputException($"{checkpoint.Name}: a checkpoint is of one search, and {algorithm.Name} names {searches.Count}.");
            var from = PolicySource.Load(parsed.GetValue(parent)!).Document;
            var atATime = parsed.Whole(threads, 1, 256);
            var output = parsed.InvocationConfiguration.Output;
            settings = ReservingTables.Follow(settings, [from], output);
            var input = TrainingInput.Read(workload.FilesOf(parsed), settings, output, cancellationToken);
            var plan = new TrainingPlan
            {
                Workload = input.Workload, Settings = input.Settings, Name = Path.GetFileNameWithoutExtension(path), Parent = from, Objective = goal, Search = searches[0], Budget = limit, Seed = workload.SeedOf(parsed), Threads = atATime,
            };
            using var journal = kept is null ? null : SearchJournal.Open(kept, TrainingProvenance.FingerprintOf(plan, input.Digest));
            if (journal is { Count: > 0 }) output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"goes on from {journal.Count:n0} replays that took {journal.Elapsed.TotalSeconds:n0} s"));
            plan = plan with { Journal = journal };
            var results = new List<(TrainingPlan Plan, TrainingResult Result)>();
            foreach (var search in searches)
            {
                if (cancellationToken.IsCancellationRequested && results.Count > 0) break;
                var own = plan with { Search = search };
                results.Add((own, new SearchDisplay(output, limit, search.Name).Run(hear => TableTrainer.Run(own, hear, cancellationToken))));
                if (searches.Count > 1) output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{search.Name}: {results[^1].Result.Trial.Mean:n0} on held-out data after {results[^1].Result.Evaluations:n0} replays"));
            }

            var best = results.MaxBy(one => one.Result.Trial.Mean);
            if (parsed.GetValue(report) is { } html) await ReportAsync(best.Plan, best.Result, [.. results.Select(one => (one.Plan.Search.Name, one.Result))], html);
            return await EndAsync(best.Plan, best.Result, input, path, output);
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    private static async Task<int> EndAsync(TrainingPlan plan, TrainingResult result, TrainingInput input, string path, TextWriter output)
    {
        output.WriteLine(TrialTable.Of(result));
        output.WriteLine(StartList.Of(result));
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{result.Evaluations:n0} replays in {result.Elapsed.TotalSeconds:n0} s{(result.WasEnded ? ", ended early" : "")}"));
        if (!result.IsBetter)
        {
            output.WriteLine($"Nothing written: on held-out data the best table found does not beat {string.Join(", ", result.Unbeaten.Select(baseline => baseline.Name))} beyond chance. Search for longer, or record a longer trace.");
            return ExitCodes.No;
        }

        output.WriteLine($"written: {string.Join(", ", await LearnedTable.WriteAsync(plan, result, input.Digest, input.Source, path))}");
        return ExitCodes.Done;
    }

    private static async Task ReportAsync(TrainingPlan plan, TrainingResult result, IReadOnlyList<(string Name, TrainingResult Result)> all, string file)
    {
        var other = TableTrainer.SpellOut(plan, TableTrainer.StartsOf(plan).First(start => start.Name == result.BestBaseline.Name));
        var worths = ChangeWorth.Of(plan, result.Found, other, CancellationToken.None);
        await File.WriteAllTextAsync(file, TrainingReport.Write(all, result, other, worths), CancellationToken.None);
    }
}
