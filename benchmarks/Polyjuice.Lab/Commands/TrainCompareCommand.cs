using System.CommandLine;
using System.Globalization;
using Polyjuice.Lab.Tool.Training;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train compare</c></summary>
internal static class TrainCompareCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var algorithm = Text("--algorithm", string.Join(',', TableSearches.All.Select(search => search.Name)), "The searches, separated by commas.");
        var options = new SearchStudyOptions(SearchComparisonResult.Name, seeds: "5", measurements: "8", "each best table");
        var command = new Command("compare", "Compares searches with equal numbers of replays over several seeds: what the best table of each is worth as it goes on, measured anew, and after how many replays each comes to 99% of where the evolutionary algorithm ends.");
        options.AddTo(command);
        command.Add(algorithm);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            var searches = TableSearches.Named(parsed.GetValue(algorithm)!, algorithm.Name);
            return await RunAsync(await options.PrepareAsync(parsed, cancellationToken), searches, parsed.InvocationConfiguration.Output, cancellationToken);
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(SearchStudy study, IReadOnlyList<ITableSearch> searches, TextWriter output, CancellationToken cancellationToken)
    {
        var (done, all) = (0, searches.Count * study.Seeds);
        var curves = new SearchComparison(study.Plan with { TrialReplays = study.Measurements }, study.Digest, study.Checkpoints).Run(searches, study.Seeds, curve => output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"[{++done}/{all}] {curve.Search}, seed {curve.Seed}: {curve.Checkpoints[0].Score:n0}/s to begin with, {curve.Final:n0}/s after {curve.Checkpoints[^1].Evaluations:n0} replays")), cancellationToken);
        if (curves.Count == 0) cancellationToken.ThrowIfCancellationRequested();
        var result = SearchComparisonResult.Of(study, curves, curves.Count == all);
        foreach (var finding in result.Findings) output.WriteLine(finding.ToString());
        await study.Files.WriteAsync(result, output);
        return ExitCodes.Done;
    }
}
