using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Micro;
using Polyjuice.Policies;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tests.Training;

public sealed class LearningRunTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("learning").FullName;
    private readonly StringWriter _output = new();
    private readonly UserInterrupt _interrupt = new();

    private string TableFile => Path.Combine(_folder, "learned.json");

    public void Dispose()
    {
        _interrupt.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task A_table_is_learned_swapped_in_under_load_and_compared()
    {
        // Whether there is anything to learn from what a busy machine has
        // recorded is not what is asked here, but what comes after it.
        var result = await RunAsync(
            Plan(evaluations: 10) with
            {
                Judge = verdict => verdict with { Rates = [(200, 100)], Gain = new(2, 1.5, 3) }
            });

        var said = _output.ToString();
        Assert.True(result.Training!.IsBetter, said);
        Assert.Equal(0, result.ExitCode);
        Assert.Equal("learned", PolicyReader.Load(TableFile).Name);
        Assert.All(result.Files, file => Assert.True(File.Exists(file)));

        // The one second in which it was swapped, and those around it.
        Assert.Equal(0, result.Swap!.Failed);
        Assert.InRange(result.Swap.Second, 2, result.Swap.CommittedPerSecond.Count - 1);
        Assert.True(result.Check!.Holds);
        Assert.Contains("← from occ to learned", said, StringComparison.Ordinal);

        // Orleans' own transactions are compared with, whatever was found.
        Assert.Equal(["learned", "occ", "orleans"], result.Comparison!.Rows.Select(row => row.Policy));
        Assert.All(result.Comparison.Rows, row => Assert.Equal(2, row.Repeat));
        Assert.Contains("occ (in force before)", said, StringComparison.Ordinal);
        Assert.Contains(
            TableFile, said[said.IndexOf("To go on", StringComparison.Ordinal)..], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Where_nothing_better_is_found_nothing_is_swapped_in_or_written()
    {
        // There is a budget for the tables that the search begins with alone.
        var result = await RunAsync(WithoutOrleans(evaluations: 1));

        Assert.Equal(3, result.ExitCode);
        Assert.Null(result.Swap);
        Assert.True(result.Check!.Holds);
        Assert.Empty(Directory.GetFiles(_folder));
        Assert.Contains("Nothing learned", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ctrl_C_ends_the_search_and_not_what_comes_after_it()
    {
        using var watched = new Watched("iteration 0", _interrupt);

        var result = await new LearningRun(PolyjuiceBenchmarkCluster.StartTraceableAsync, watched, _interrupt)
            .RunAsync(WithoutOrleans(evaluations: 1_000_000));

        Assert.True(result.Training!.WasEnded);
        Assert.True(result.Check!.Holds);
        Assert.False(_interrupt.Token.IsCancellationRequested);
    }

    [Fact]
    public async Task Ctrl_C_while_it_records_ends_it_all_and_leaves_nothing()
    {
        using var watched = new Watched("[1/5]", _interrupt);

        var result = await new LearningRun(
            PolyjuiceBenchmarkCluster.StartTraceableAsync, watched, _interrupt).RunAsync(Plan(evaluations: 10));

        Assert.Equal(130, result.ExitCode);
        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Fact]
    public void What_failed_or_did_not_hold_is_no_success()
    {
        var sound = new LearningResult(null, ["file"])
        {
            Swap = new SwapResult([1, 2], 1, 0), Check = new InvariantCheck(true, "fine")
        };

        Assert.True(sound.IsSound);
        Assert.False((sound with { Swap = new SwapResult([1, 2], 1, 3) }).IsSound);
        Assert.False((sound with { Check = new InvariantCheck(false, "lost") }).IsSound);
    }

    private Task<LearningResult> RunAsync(LearningPlan plan) =>
        new LearningRun(PolyjuiceBenchmarkCluster.StartTraceableAsync, _output, _interrupt).RunAsync(plan);

    // Under this contention Orleans' transactions wait for their lock time-outs.
    private LearningPlan WithoutOrleans(long evaluations) => Plan(evaluations) with { ComparesOrleans = false };

    private LearningPlan Plan(long evaluations) => new()
    {
        Run = new BenchmarkPlan
        {
            Workload = MicroWorkload.Definition,
            Policies = [BuiltinPolicies.Get("occ")],
            Thetas = [1.2],
            Clients = 24,
            Shape = new ClusterShape(2, TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(2), null),
            ProcessWarmup = TimeSpan.FromMilliseconds(500),
            Warmup = TimeSpan.FromMilliseconds(50),
            Measured = TimeSpan.FromMilliseconds(200),
            Repeat = 2,
            IncludePlain = false,
            Parameters = new WorkloadParameters(Accounts: 50),
        },
        Starts = [BuiltinPolicies.Get("occ").Document],
        Budget = new SearchBudget(TimeSpan.FromHours(1), evaluations),
        File = TableFile,
        RecordedTransactions = 600,
        SecondsAround = 2,
        Second = TimeSpan.FromMilliseconds(400),
        ReplayTransactions = 50,
        Race = new() { RoundsMax = 2, RoundsMin = 2 },
        VerdictRounds = 3,
        RaceInterval = TimeSpan.FromMilliseconds(200),
    };

    private sealed class Watched(string at, UserInterrupt interrupt) : StringWriter
    {
        public override void WriteLine(string? value)
        {
            base.WriteLine(value);
            if (value?.Contains(at, StringComparison.Ordinal) == true) interrupt.Interrupt();
        }
    }
}
