using System.CommandLine;
using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Training;
using Polyjuice.Policies;
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
        var tables = Text("--tables", "22", "Tables to compare: the built-in ones, and changes of them drawn by the seed.");
        var seconds = Text("--seconds", "1.5", "Measured seconds of each table and round, on a cluster within this process.");
        var transactions = CommandOptions.Transactions("--interval-transactions", seconds.Name);
        var repeat = Text("--repeat", "2", "Rounds; medians count.");
        var least = Text("--least-tau", "0", "Answers no (exit code 1) if τ is less.");
        var command = new Command("validate", "Compares what replays of a workload come to with what it really comes to, table by table: the ratio of both, and how well their orders agree (Kendall's τ).");
        options.AddTo(command);
        foreach (Option option in (Option[])[tables, seconds, transactions, repeat, least]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            var run = options.RunOf(parsed) ?? throw new CommandInputException("Name a workload with --workload: it is run with each table, which a recorded trace cannot be.");
            var settings = options.SettingsOf(parsed);
            var count = parsed.Whole(tables, 2, 1_000);
            var measured = parsed.Number(seconds, 0.1, 600);
            var intervals = parsed.TransactionsOrNone(transactions);
            var rounds = parsed.Whole(repeat, 1, 100);
            var bar = parsed.Number(least, -1, 1);
            var output = parsed.InvocationConfiguration.Output;
            var input = await RecordedInput.LoadAsync(options.FilesOf(parsed), run, settings, options.Calibrates(parsed), options.SeedOf(parsed), output, cancellationToken);
            var policies = VariedTables.Of(input.Workload, count, options.SeedOf(parsed));
            var plan = run with { Policies = policies, Measured = TimeSpan.FromSeconds(measured), Warmup = TimeSpan.FromSeconds(measured / 3), ProcessWarmup = TimeSpan.FromSeconds(measured), OperationsPerInterval = intervals, Repeat = rounds };
            var real = await new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(plan, cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
            return Report(input, policies, real, bar, options.SeedOf(parsed), output);
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    private static int Report(TrainingInput input, IReadOnlyList<DocumentPolicy> policies, BenchmarkResult real, double least, ulong seed, TextWriter output)
    {
        var evaluator = new ReplayEvaluator(input.Workload, input.Settings);
        var replayed = policies.Select(policy => Enumerable.Range(0, Replays).Average(i => evaluator.Evaluate(policy, ReplayPart.All, seed + (ulong)i).CommittedPerSecond)).ToArray();
        var measured = policies.Select(policy => real.Rows.First(row => row.Policy == policy.Name).CommittedPerSecond).ToArray();
        var width = policies.Max(policy => policy.Name.Length);
        output.WriteLine($"{"table".PadRight(width)}  {"replayed/s",10}  {"real/s",10}  replayed by real");
        foreach (var i in Enumerable.Range(0, policies.Count).OrderByDescending(i => measured[i]))
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{policies[i].Name.PadRight(width)}  {replayed[i],10:n0}  {measured[i],10:n0}  {replayed[i] / Math.Max(1e-9, measured[i]),8:0.00}"));
        var tau = KendallTau.Of(replayed, measured);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Kendall's τ over {policies.Count} tables: {tau:0.00}{(real.InvariantHeld ? "" : "; THE WORKLOAD'S INVARIANT DID NOT HOLD")}"));
        return tau >= least && real.InvariantHeld ? ExitCodes.Done : ExitCodes.No;
    }
}
