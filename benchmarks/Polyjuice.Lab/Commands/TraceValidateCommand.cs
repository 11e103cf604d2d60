using System.CommandLine;
using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Training;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Training;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab trace validate</c></summary>
internal static class TraceValidateCommand
{
    /// <summary>Replays of each table, with seeds of their own.</summary>
    private const int Replays = 3;

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var options = new TrainingOptions();
        var tables = Text(
            "--tables", "22", "Tables to compare: the built-in ones, and changes of them drawn by the seed.");
        var seconds = Text(
            "--seconds", "1",
            "Measured seconds of each table and round, on a cluster within this process; half of it is warm-up.");
        var transactions = CommandOptions.Transactions("--interval-transactions", seconds.Name);
        var repeat = Text(
            "--repeat", "4", "Rounds, in each of which every table is put in force once; geometric means count.");
        var least = Text("--least-tau", "0", "Answers no (exit code 1) if τ is less.");
        var command = new Command(
            "validate",
            "Compares what replays of a workload come to with what it really comes to, table by table: the ratio of "
            + "both, and how well their orders agree (Kendall's τ).");
        options.AddTo(command);
        foreach (Option option in (Option[])[tables, seconds, transactions, repeat, least]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            var run = options.RunOf(parsed)
                ?? throw new CommandInputException(
                    "Name a workload with --workload: it is run with each table, which a recorded trace cannot be.");
            var settings = options.SettingsOf(parsed);
            var count = parsed.Whole(tables, 2, 1_000);
            var measured = parsed.Number(seconds, 0.1, 600);
            var intervals = parsed.TransactionsOrNone(transactions);
            var rounds = parsed.Whole(repeat, 1, 100);
            var bar = parsed.Number(least, -1, 1);
            var output = parsed.InvocationConfiguration.Output;
            var input = await RecordedInput.LoadAsync(
                options.FilesOf(parsed),
                run,
                settings,
                options.Calibrates(parsed),
                options.SeedOf(parsed),
                output,
                cancellationToken);
            var policies = VariedTables.Of(input.Workload, count, options.SeedOf(parsed));
            var plan = run with
            {
                Measured = TimeSpan.FromSeconds(measured),
                Warmup = TimeSpan.FromSeconds(measured / 2),
                ProcessWarmup = TimeSpan.FromSeconds(2),
                OperationsPerInterval = intervals,
            };
            await using var load = await TraceLoad.StartAsync(
                PolyjuiceBenchmarkCluster.StartTraceableAsync, plan, new SilentObserver(), cancellationToken);
            var race = new TableRace(new LoadTrack(load, plan), RaceOptions.Compare(rounds));
            var standings = await race.RunAsync([.. policies.Select(policy => policy.Document)], cancellationToken);
            return Report(input, policies, standings, await load.CheckAsync(), bar, options.SeedOf(parsed), output);
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    private static int Report(
        TrainingInput input,
        IReadOnlyList<DocumentPolicy> policies,
        IReadOnlyList<RaceStanding> standings,
        InvariantCheck check,
        double least,
        ulong seed,
        TextWriter output)
    {
        var evaluator = new ReplayEvaluator(input.Workload, input.Settings);
        var replayed = policies.Select(
            policy => Enumerable.Range(0, Replays)
                .Average(i => evaluator.Evaluate(policy, ReplayPart.All, seed + (ulong)i).CommittedPerSecond))
            .ToArray();
        var measured = policies.Select(policy => standings.First(standing => standing.Table == policy.Document))
            .ToArray();
        var width = policies.Max(policy => policy.Name.Length);
        output.WriteLine(
            $"{"table".PadRight(width)}  {"replayed/s",10}  {"real/s",10}  {"least … most",17}  replayed by real");
        foreach (var i in Enumerable.Range(0, policies.Count).OrderByDescending(i => measured[i].Mean))
        {
            var spread = string.Create(
                CultureInfo.InvariantCulture, $"{measured[i].Rates.Min():n0} … {measured[i].Rates.Max():n0}");
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{policies[i].Name.PadRight(width)}  {replayed[i],10:n0}  {measured[i].Mean,10:n0}  {spread,17}  "
                + $"{replayed[i] / Math.Max(1e-9, measured[i].Mean),8:0.00}"));
        }

        var tau = KendallTau.Of(replayed, [.. measured.Select(standing => standing.Mean)]);
        var broken = check.Holds ? "" : "; THE WORKLOAD'S INVARIANT DID NOT HOLD";
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"Kendall's τ over {policies.Count} tables: {tau:0.00}{broken}"));
        WriteCeiling(measured, output);
        return tau >= least && check.Holds ? ExitCodes.Done : ExitCodes.No;
    }

    // What any replay could reach: two halves of the same measurements agree no better.
    private static void WriteCeiling(IReadOnlyList<RaceStanding> measured, TextWriter output)
    {
        if (measured[0].Rates.Count < 2) return;
        double Half(RaceStanding standing, int parity) =>
            (standing with { Rates = [.. standing.Rates.Where((_, round) => round % 2 == parity)] }).Mean;
        var tau = KendallTau.Of([.. measured.Select(one => Half(one, 0))], [.. measured.Select(one => Half(one, 1))]);
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture, $"τ of the odd rounds beside the even ones, both real: {tau:0.00}"));
    }
}
