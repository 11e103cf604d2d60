using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Cli.Experiments;
using Polyjuice.Cli.Training;
using Polyjuice.Training;
using Polyjuice.Training.Search;
using static Polyjuice.Cli.Commands.CommandOptions;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice train compare</c></summary>
internal static class TrainCompareCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var workload = new TrainingOptions();
        var algorithm = Text("--algorithm", string.Join(',', TrainCommand.Searches.Select(search => search.Name)), "The searches, separated by commas.");
        var seeds = Text("--seeds", "5", "Seeds of each search, from --seed on.");
        var evaluations = Text("--evaluations", "600", "Replays of each search with each seed.");
        var measurements = Text("--measurements", "8", "Replays of each best table on held-out data, with seeds that no search has.");
        var threads = Text("--threads", "2", "Replays at a time.");
        var checkpoint = new Option<string?>("--checkpoint") { Description = "Keeps every replay in files in this folder, with --trace. The same command with the same folder goes on where it was ended.", HelpName = "folder" };
        var folder = new Option<string>("--out", "-o") { Description = $"Writes {SearchComparisonResult.Name}.json, {SearchComparisonResult.Name}.svg and index.html to this folder, made if it is not there.", HelpName = "folder", Required = true };
        var command = new Command("compare", "Compares searches with equal numbers of replays over several seeds: what the best table of each is worth as it goes on, measured anew, and after how many replays each comes to 99% of where the evolutionary algorithm ends.");
        workload.AddTo(command);
        foreach (Option option in (Option[])[algorithm, seeds, evaluations, measurements, threads, checkpoint, folder]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            int Whole(Option<string> option, int least, int most) => BenchmarkInput.Whole(parsed.GetValue(option)!, option.Name, least, most);

            var run = workload.RunOf(parsed);
            var settings = workload.SettingsOf(parsed);
            var searches = TrainCommand.SearchesOf(parsed.GetValue(algorithm)!, algorithm.Name);
            var (count, limit) = (Whole(seeds, 1, 1_000), new SearchBudget(TimeSpan.FromDays(365), Whole(evaluations, 1, int.MaxValue)));
            var (replays, atATime) = (Whole(measurements, 2, 10_000), Whole(threads, 1, 256));
            if (run is not null && parsed.GetValue(checkpoint) is not null) throw new BenchmarkInputException($"{checkpoint.Name} needs --trace: a workload is recorded anew each time, and what was replayed of another trace is of no use. Record it with 'polyjuice trace record'.");
            if (parsed.GetValue(checkpoint) is { } kept) Directory.CreateDirectory(kept);
            var files = new ExperimentFiles { Folder = parsed.GetRequiredValue(folder) };
            await files.PrepareAsync();
            var output = parsed.InvocationConfiguration.Output;
            var input = await TrainingInput.LoadAsync(workload.FilesOf(parsed), run, settings, workload.Calibrates(parsed), workload.SeedOf(parsed), output, cancellationToken);
            var plan = new TrainingPlan { Workload = input.Workload, Settings = input.Settings, Name = "candidate", Budget = limit, Seed = workload.SeedOf(parsed), Threads = atATime, TrialReplays = replays };
            var begun = Stopwatch.GetTimestamp();
            var done = 0;
            var curves = new SearchComparison(plan, input.Digest, parsed.GetValue(checkpoint)).Run(searches, count, curve => output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"[{++done}/{searches.Count * count}] {curve.Search}, seed {curve.Seed}: {curve.Checkpoints[0].Score:n0}/s to begin with, {curve.Final:n0}/s after {curve.Checkpoints[^1].Evaluations:n0} replays")), cancellationToken);
            if (curves.Count == 0) cancellationToken.ThrowIfCancellationRequested();
            var result = SearchComparisonResult.Of(plan, input.Source, input.Digest, curves, curves.Count == searches.Count * count, Stopwatch.GetElapsedTime(begun));
            foreach (var finding in result.Findings) output.WriteLine(finding.ToString());
            await files.WriteAsync(result, output);
            return ExitCodes.Done;
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }
}
