using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Polyjuice.Lab.Tool.Training;
using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;
using EnumerationResult = Polyjuice.Lab.Tool.Training.EnumerationResult;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train enumerate</c></summary>
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
        var parent = Text("--parent", "dirty-public", "Whose backoffs all tables have: a built-in policy or a file.");
        var brief = Text("--brief-transactions", "300", "Measured transactions of the replays that all tables get.");
        var options = new SearchStudyOptions(
            EnumerationResult.Name, seeds: "3", measurements: "20", "each table in the verdict");
        var command = new Command(
            "enumerate",
            $"Replays all tables of a small workload, {TableEnumeration.TablesMax:n0} at the most, and says how near "
            + "to the best of them the search comes. Not tried are backoffs, rows for hot participants, and early "
            + "validation after the last site.");
        options.AddTo(command);
        foreach (var option in (Option[])[parent, brief]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            var from = PolicySource.LoadDocument(parsed.GetValue(parent)!).Document;
            if (TableTrainer.Reserves(from))
                throw new CommandInputException($"{parent.Name}: {from.Name} reserves, which a replay cannot follow.");
            var transactions = parsed.Whole(brief, 100, 10_000_000);
            var study = await options.PrepareAsync(parsed, cancellationToken);
            return await RunAsync(
                study with { Plan = study.Plan with { Name = "best-of-all", Parent = from } }, transactions,
                parsed.InvocationConfiguration.Output, cancellationToken);
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(
        SearchStudy study, int briefTransactions, TextWriter output, CancellationToken cancellationToken)
    {
        var plan = study.Plan;
        var evaluator = new ReplayEvaluator(plan.Workload, plan.Settings);
        var (best, count) = BestOfAll(
            study, plan.Settings.WithMeasured(briefTransactions), evaluator, output, cancellationToken);
        IReadOnlyList<PolicyDocument> tables =
        [
            best, .. Searched(study, cancellationToken), .. TableTrainer.StartsOf(plan)
        ];
        var verdict = HeldOutTrial.Run(
            evaluator,
            plan.Objective,
            [.. tables.Select(table => new DocumentPolicy(table))],
            plan.Seed ^ VerdictStream,
            study.Measurements,
            plan.Threads,
            cancellationToken);
        var result = EnumerationResult.Of(study, count, verdict);
        foreach (var finding in result.Findings) output.WriteLine(finding.ToString());
        await study.Files.WriteAsync(result, output);
        return ExitCodes.Done;
    }

    /// <summary>The best of all tables, by a choice on held-out data like a search's, and of how many.</summary>
    private static (PolicyDocument Table, long Count) BestOfAll(
        SearchStudy study, ReplaySettings briefly, ReplayEvaluator evaluator, TextWriter output,
        CancellationToken cancellationToken)
    {
        var plan = study.Plan;

        // Both lengths decide, and so are part of the checkpoint: the
        // brief one of its fingerprint, the other one of its name.
        using var journal = study.OpenJournal(
            plan with { Settings = briefly }, FormattableString.Invariant($"all-{plan.Settings.Measured}"));
        var enumeration = new TableEnumeration(plan with { Journal = journal }, briefly);
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{enumeration.Count:n0} tables: every choice of version, visibility, early validation (but after the "
                + $"last site), waits for holders and waits for dependencies at "
                + $"{plan.Workload.ContendingTypes.Sum(type => plan.Workload.Catalogue.Types[type].Sites.Count)} "
                + $"sites; backoffs as in {plan.Parent.Name}"));
        var said = Stopwatch.GetTimestamp();
        var best = enumeration.Best(Finalists, (done, total) =>
        {
            if (Stopwatch.GetElapsedTime(said) < _linePeriod) return;
            said = Stopwatch.GetTimestamp();
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{done:n0} of about {total:n0} replays"));
        }, cancellationToken);
        return (HeldOutChoice.Of(
            evaluator,
            plan.Objective,
            best,
            plan.Seed ^ ChoiceStream,
            plan.TrialReplays,
            plan.Threads,
            cancellationToken), enumeration.Count);
    }

    /// <summary>What the search answers, seed by seed.</summary>
    private static IEnumerable<PolicyDocument> Searched(SearchStudy study, CancellationToken cancellationToken)
    {
        var plan = study.Plan;
        for (var seed = plan.Seed; seed < plan.Seed + (ulong)study.Seeds; seed++)
        {
            var own = plan with
            {
                Name = string.Create(CultureInfo.InvariantCulture, $"{plan.Search.Name}, seed {seed}"),
                Parent = BuiltinPolicies.Get("ic3").Document,
                Seed = seed
            };
            using var journal = study.OpenJournal(own, FormattableString.Invariant($"search-{seed}"));
            var result = TableTrainer.Run(own with { Journal = journal }, _ => { }, cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
            yield return result.Found;
        }
    }
}
