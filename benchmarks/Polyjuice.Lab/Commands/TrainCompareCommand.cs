using System.CommandLine;
using System.Globalization;
using Polyjuice.Lab.Tool.Training;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train compare</c></summary>
internal static class TrainCompareCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var algorithm = Text(
            "--algorithm",
            string.Join(',', TableSearches.All.Select(search => search.Name)),
            $"The searches, separated by commas. NAME{SearchArm.BuiltInSuffix} is the same search without the tables derived from the workload's conflicts to begin with.");
        var known = Optional(
            "--known",
            "Other tables that are known to be good, as policy files, separated by commas. The best of these, of the "
            + "built-in ones and of all that searches find is the best known table.");
        var options = new SearchStudyOptions(
            SearchComparisonResult.Name, seeds: "5", measurements: "8", "each best table");
        var command = new Command(
            "compare",
            "Compares searches with equal numbers of replays over several seeds: what the best table of each is worth "
            + "as it goes on, measured anew, after how many replays each comes to 99% of where the evolutionary "
            + "algorithm ends, and after how many replays and seconds to 95% of the best known table.");
        options.AddTo(command);
        command.Add(algorithm);
        command.Add(known);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            var arms = SearchArms.Named(parsed.GetValue(algorithm)!, algorithm.Name);
            var others = parsed.GetValue(known) is { } names ? KnownTables(names, known.Name) : [];
            return await RunAsync(
                await options.PrepareAsync(parsed, cancellationToken),
                arms,
                others,
                parsed.InvocationConfiguration.Output,
                cancellationToken);
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    private static IReadOnlyList<PolicyDocument> KnownTables(string names, string option)
    {
        PolicyDocument[] tables =
        [
            .. CommandInput.Parts(names, option).Select(name => PolicySource.LoadDocument(name).Document)
        ];
        return Array.Find(tables, TableTrainer.Reserves) is { } reserving
            ? throw new CommandInputException($"{option}: {reserving.Name} reserves, which a replay cannot follow.")
            : tables;
    }

    private static async Task<int> RunAsync(
        SearchStudy study, IReadOnlyList<SearchArm> arms, IReadOnlyList<PolicyDocument> others, TextWriter output,
        CancellationToken cancellationToken)
    {
        var comparison = new SearchComparison(
            study.Plan with { TrialReplays = study.Measurements }, study.Digest, study.Checkpoints);
        var builtIn = comparison.Measure(TableTrainer.StartsOf(study.Plan), cancellationToken);
        var known = comparison.Measure(others, cancellationToken);
        foreach (var table in builtIn.Concat(known).OrderByDescending(table => table.Score))
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"known: {table.Name}, {table.Score:n0}/s"));
        var (done, all) = (0, arms.Count * study.Seeds);
        var curves = comparison.Run(arms, study.Seeds, curve => output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"[{++done}/{all}] {curve.Search}, seed {curve.Seed}: {curve.Checkpoints[0].Score:n0}/s to begin with, "
            + $"{curve.Final:n0}/s after {curve.Checkpoints[^1].Evaluations:n0} replays")),
                cancellationToken);
        if (curves.Count == 0) cancellationToken.ThrowIfCancellationRequested();
        var result = SearchComparisonResult.Of(study, curves, builtIn, known, curves.Count == all);
        foreach (var finding in result.Findings) output.WriteLine(finding.ToString());
        await study.Files.WriteAsync(result, output);
        return ExitCodes.Done;
    }
}
