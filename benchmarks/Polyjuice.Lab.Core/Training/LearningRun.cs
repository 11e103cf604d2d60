using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Traces;

namespace Polyjuice.Lab.Training;

/// <summary>
/// Learns a table for a workload from end to end: starts a cluster and serves the workload, records a trace, searches
/// on it in virtual time, races the best of what it finds on the cluster with all tables that were there, swaps the
/// winner in under load if it is a new one, and compares it with Orleans' own transactions. For people who watch; every
/// step says what it does.
/// </summary>
/// <param name="start">Starts a cluster.</param>
/// <param name="output">Where it says so.</param>
/// <param name="interrupt">
/// Ctrl-C ends the step that is under way: the search with the best tables so far, the comparison with what was
/// measured, all other steps the whole run.
/// </param>
internal sealed class LearningRun(
    Func<ClusterShape, Task<ITracingCluster>> start, TextWriter output, UserInterrupt interrupt)
{
    private const int Steps = 5;
    private int _steps = Steps;

    // Of the race's measurements, so many are said in a line.
    private const int ReportEvery = 10;

    /// <summary>Runs it.</summary>
    /// <param name="plan">What to do.</param>
    /// <exception cref="ArgumentException">What was recorded is too little to train on.</exception>
    /// <exception cref="IOException">The table cannot be written.</exception>
    /// <exception cref="InvalidOperationException">Operations hang.</exception>
    public async Task<LearningResult> RunAsync(LearningPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var run = plan.Run with { Policies = [plan.Run.Policies[0]] };
        if (!plan.Compares) _steps = Steps - 1;
        var result = new LearningResult(null, []);
        output.WriteLine($"Starts {run.Shape.Silos} silos in this process and loads {run.Workload.Name}.");
        await using (var load = await TraceLoad.StartAsync(start, run, new SilentObserver(), interrupt.Token))
        {
            if (await RecordAsync(plan, run, load) is not { } trained) return Ended(result);
            if (Train(trained) is not { } training) return Ended(result);
            result = result with { Training = training };
            output.WriteLine(TrialTable.Of(training));
            if (training.Finalists.Count > 0)
            {
                if (await RaceAsync(plan, run, load, trained.Plan, training) is not { } verdict) return Ended(result);
                training = training.DecidedBy(verdict);
                result = result with { Training = training };
            }
            else
            {
                Step(3, "Races nothing: replays have found no table that is worth it.");
            }

            if (!training.IsBetter)
            {
                Step(4, "Swaps nothing in: no table that was found is better.");
                output.WriteLine(NothingLearned.Of(training, trained.Plan.Parent.Name));
                result = result with { Check = await CheckAsync(load) };
            }
            else
            {
                result = result with
                {
                    Files = await LearnedTable.WriteAsync(
                        trained.Plan, training, trained.Digest, trained.Source, plan.File)
                };
                output.WriteLine($"Written: {string.Join(", ", result.Files)}");
                result = result with { Swap = await SwapAsync(plan, run, load, training.Found) };
                result = result with { Check = await CheckAsync(load) };
            }

            if (interrupt.Token.IsCancellationRequested) return Ended(result);
        }

        return plan.Compares ? await CompareAsync(plan, result) : result;
    }

    private LearningResult Ended(LearningResult result)
    {
        output.WriteLine(result.Files.Count > 0
            ? "Ended early: the table is written, and was not compared."
            : "Ended early: nothing was learned, and nothing written.");
        return result;
    }

    private void Step(int number, string text) => output.WriteLine($"\n[{number}/{_steps}] {text}");

    private async Task<Material?> RecordAsync(LearningPlan plan, BenchmarkPlan run, TraceLoad load)
    {
        Step(
            1,
            string.Create(
                CultureInfo.InvariantCulture,
                $"Records {plan.Recorded.TotalSeconds:0.#} s of {RecordedWorkload.SourceOf(run)}, while it serves."));
        if (interrupt.Token.IsCancellationRequested) return null;
        var sink = new MemoryTraceSink();
        load.Cluster.StartTrace(RecordedWorkload.Options, sink);
        IntervalSample sample;
        try
        {
            sample = await load.RunAsync(
                run with
                {
                    Warmup = TimeSpan.Zero, Measured = plan.Recorded,
                    OperationsPerInterval = plan.RecordedTransactions
                },
                round: 1, interrupt.Token);
        }
        finally
        {
            await load.Cluster.StopTraceAsync();
        }

        if (interrupt.Token.IsCancellationRequested) return null;
        var trace = TraceFile.Read(sink, interrupt.Token).Trace;
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{sample.CommittedPerSecond:n0} committed/s; {trace.Transactions.Length:n0} transactions of "
                + $"{trace.Types.Count} types with {trace.Accesses.Length:n0} accesses at {trace.Sites.Count} sites."));
        var workload = ReplayWorkload.Of(trace, run.Shape.Silos);
        var settings = RecordedWorkload.ReplayOn(
            run.Shape, run.Clients, plan.ReplayTransactions ?? ReplaySettings.MeasuredFor(run.Clients));
        return new Material(
            new TrainingPlan
            {
                Workload = workload, Settings = Fitted(workload, settings, run, sample),
                Name = Path.GetFileNameWithoutExtension(plan.File),
                Parent = (run.Policies[0] as DocumentPolicy)?.Document ?? plan.Starts[0], Starts = plan.Starts,
                Budget = plan.Budget, Seed = run.Seed,
            },
            TraceDigest.Of(trace), RecordedWorkload.SourceOf(run));
    }

    // A replay whose table in force makes what was recorded: what processors, messages and appends cost differs from
    // machine to machine.
    private ReplaySettings Fitted(
        ReplayWorkload workload, ReplaySettings settings, BenchmarkPlan run, IntervalSample sample)
    {
        var processor = sample.Use.Processor.TotalMicroseconds / Math.Max(1, sample.Committed);
        var measured = new MeasuredTable(run.Policies[0], sample.CommittedPerSecond)
        {
            ProcessorMicroseconds = processor
        };
        if (settings.HasLatencies)
        {
            var (fitted, off) = LatencyCalibration.Fit(workload, settings, measured, run.Seed);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"Replays are fitted to that: {processor:n0} µs of a processor for a transaction, "
                + $"{fitted.NetworkMicroseconds / 1e3:0.00} ms for a message and "
                + $"{fitted.AppendMicroseconds / 1e3:0.00} ms for an append (off by "
                + $"{Math.Abs(Math.Exp(off) - 1):0%})."));
            return fitted;
        }

        var (costs, error) = CostCalibration.Fit(workload, settings, [measured], run.Seed);
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"Replays cost what makes that rate: {costs.Call:0} µs of a processor for a call, {costs.Access:0} µs "
                + $"for an access (off by {Math.Abs(Math.Exp(error) - 1):0%})."));
        return settings with { Costs = costs };
    }

    private TrainingResult? Train(Material material)
    {
        Step(
            2,
            $"Trains on that in virtual time, for {material.Plan.Budget.Description}; Ctrl-C takes the best so far. "
            + "The cluster waits: both would share these processors.");
        try
        {
            return new SearchDisplay(
                output, material.Plan.Budget,
                material.Plan.Search.Name).Run(hear => TableTrainer.Run(material.Plan, hear, interrupt.Token));
        }
        catch (OperationCanceledException) when (interrupt.Token.IsCancellationRequested)
        {
            return null;
        }
        finally
        {
            interrupt.Renew();
        }
    }

    /// <summary>On the cluster: replays can't tell which of the best is the best there.</summary>
    private async Task<RaceVerdict?> RaceAsync(
        LearningPlan plan, BenchmarkPlan run, TraceLoad load, TrainingPlan training, TrainingResult found)
    {
        var before = TableTrainer.RivalsOf(training);
        Step(3, string.Create(
            CultureInfo.InvariantCulture,
            $"Races the best {found.Finalists.Count} of them and the {before.Count} that were there on the cluster, "
            + $"{plan.RaceInterval.TotalSeconds:0.##} s each in turns, until one is left or {plan.Race.RoundsMax} "
            + $"rounds are over; then the best of both kinds for {plan.VerdictRounds} rounds."));
        var measured = 0;
        var track = new LoadTrack(load, run with { Warmup = plan.RaceWarmup, Measured = plan.RaceInterval });
        var judge = new RaceJudge(track, plan.Race, plan.VerdictRounds)
        {
            Measured = (round, table, rate) =>
            {
                if (++measured % ReportEvery == 0)
                    output.WriteLine(
                        string.Create(CultureInfo.InvariantCulture, $"round {round}: {table.Name} {rate:n0}/s"));
            },
        };
        try
        {
            var verdict = plan.Judge(await judge.RunAsync(found.Finalists, before, interrupt.Token));
            output.WriteLine(RaceTable.Of(verdict.Standings));
            output.WriteLine(RaceTable.Sentence(verdict));
            return verdict;
        }
        catch (OperationCanceledException) when (interrupt.Token.IsCancellationRequested)
        {
            return null;
        }
    }

    private async Task<SwapResult> SwapAsync(LearningPlan plan, BenchmarkPlan run, TraceLoad load, PolicyDocument found)
    {
        Step(
            4,
            $"Swaps {found.Name} in under load, on the cluster that was recorded: {run.Clients} clients go on, and "
            + "transactions under way end with the table that they began with.");

        // As it was before.
        load.Cluster.Swap(run.Policies[0]);

        // A quarter into a second, so that a report a little late is still in the same one.
        var timeline = new Timeline(
            [(plan.Second * plan.SecondsAround) + (plan.Second / 4)],
            _ => load.Cluster.Swap(new DocumentPolicy(found)));
        var sample = await load.RunAsync(
            run with { Warmup = plan.Second, Measured = plan.Second * ((2 * plan.SecondsAround) + 1) },
            round: 2,
            timeline,
            interrupt.Token);
        var swap = new SwapResult(
            timeline.Rates(plan.Second),
            timeline.Changes.Count > 0 ? (int)(timeline.Changes[0] / plan.Second) : -1,
            sample.Aborted + sample.InDoubt);
        output.WriteLine(SwapTable.Of(swap, run.Policies[0].Name, found.Name));
        return swap;
    }

    private static string InvariantOf(BenchmarkResult comparison)
    {
        var broken = comparison.Broken;
        if (broken.Count == 0) return $"The invariant held after each of {comparison.Checks.Count} intervals.";
        if (!comparison.InvariantHeld)
            return "THE INVARIANT DID NOT HOLD: " + broken.First(one => one.Arm.IsJudged).Check.Description;
        return $"The invariant held after {comparison.Checks.Count - broken.Count} of {comparison.Checks.Count} "
            + $"intervals. After {broken.Count} of Orleans' own transactions it did not, or nobody could see: "
            + $"{broken[0].Check.Description}";
    }

    private async Task<InvariantCheck> CheckAsync(TraceLoad load)
    {
        var check = await load.CheckAsync();
        output.WriteLine($"Checked: {check.Description}.");
        return check;
    }

    private async Task<LearningResult> CompareAsync(LearningPlan plan, LearningResult result)
    {
        var training = result.Training!;
        IReadOnlyList<IPolicyCompiler> learned = result.Files.Count > 0 ? [new DocumentPolicy(training.Found)] : [];
        var others = plan.Run.Policies.Count > 1 ? plan.Run.Policies : Others(plan, training);
        var compared = plan.Run with
        {
            Policies = [.. learned, .. others],
            Engines = plan.ComparesOrleans
                ? [BenchmarkEngine.Polyjuice, BenchmarkEngine.Orleans]
                : [BenchmarkEngine.Polyjuice],
            Shape = plan.Run.Shape with { ResponseTimeout = plan.ComparedResponseTimeout },
            ProcessWarmup = TimeSpan.Zero, IncludePlain = false,
        };
        Step(
            5,
            string.Create(
                CultureInfo.InvariantCulture,
                $"Compares {compared.Policies.Count} "
                + $"table{(compared.Policies.Count == 1 ? "" : "s")}"
                + $"{(plan.ComparesOrleans ? " and Orleans' own transactions" : "")} in turn, {plan.Run.Repeat} "
                + $"intervals of {plan.Run.Measured.TotalSeconds:0.#} s each, with the same choices of clients."));
        var comparison = await BenchmarkDisplay.MeasureAsync(
            output, compared, BenchmarkClusters.StartAsync, interrupt.Token);
        if (interrupt.Token.IsCancellationRequested) output.WriteLine("Ended early, with what was measured.");
        if (comparison.Rows.Count > 0)
            LearningTable.Write(
                BenchmarkDisplay.CreateConsole(output),
                comparison,
                learned.Count > 0 ? training.Found.Name : null,
                plan.Run.Policies[0].Name);
        output.WriteLine(InvariantOf(comparison));
        if (result.Files.Count > 0) output.WriteLine(GoOn(plan, result.Files));
        return result with { Comparison = comparison };
    }

    private static IReadOnlyList<IPolicyCompiler> Others(LearningPlan plan, TrainingResult training)
    {
        var best = training.Race?.Best.Name ?? training.BestBaseline.Name;
        return [.. new[] { best, plan.Run.Policies[0].Name }.Distinct().Select(name => Named(plan, name))];
    }

    private static IPolicyCompiler Named(LearningPlan plan, string name) =>
        plan.Run.Policies.FirstOrDefault(policy => policy.Name == name)
            ?? new DocumentPolicy(plan.Starts.First(table => table.Name == name));

    private static string GoOn(LearningPlan plan, IReadOnlyList<string> files) =>
        $"""

        To go on:
          dotnet run -c Release --project src/Polyjuice.Cli -- policy show {files[0]}        what it does at each access
          dotnet run -c Release --project src/Polyjuice.Cli -- policy diff {plan.Run.Policies[0].Name} {files[0]}
          silo.UsePolyjuice(options => options.Policy = "{files[0]}")        puts it in force
          docs/operate/training.md                                           how to learn one for a workload of yours
        """;

    private sealed record Material(TrainingPlan Plan, string Digest, string Source);
}
