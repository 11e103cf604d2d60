using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Scoring;

public sealed class TableAblationTests
{
    private static readonly ReplayWorkload s_workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);
    private static readonly PolicyDocument s_occ = BuiltIn("occ");
    private static readonly PolicyDocument s_handsOn = BuiltIn("dirty-public");

    [Fact]
    public void A_group_is_worth_what_is_lost_without_it_and_what_it_gains_alone()
    {
        var result = Run(new Judge(Worth), s_handsOn, [s_occ]);

        Assert.Equal((165, 100), (result.Table.Mean, result.Best.Mean));
        Assert.True(result.IsWhole);
        var all = result.Groups.Where(group => group.Type is null).ToList();
        Assert.Equal([(CellKind.Read, 4), (CellKind.Write, 4)], all.Select(group => (group.Kind, group.Cells)));
        Assert.Equal((110 / 165.0) - 1, all[0].Without.Gain, 9);
        Assert.Equal(0.5, all[0].Alone.Gain, 9);
        Assert.Equal((150 / 165.0) - 1, all[1].Without.Gain, 9);
        Assert.Equal(0.1, all[1].Alone.Gain, 9);
        Assert.All(result.Groups, group => Assert.Equal(0, group.Without.Error, 9));
    }

    [Fact]
    public void Groups_of_one_type_exchange_the_cells_of_that_type_alone_and_the_most_valuable_come_first()
    {
        var result = Run(new Judge(Worth), s_handsOn, [s_occ]);

        Assert.Equal(6, result.Wanted);
        Assert.Equal(result.Groups.OrderBy(group => group.Without.Gain), result.Groups);

        // Worth is in all dirty reads together: one type's loss is as bad as all, and one type's alone is worth
        // nothing.
        var first = Assert.Single(result.Groups, group => group is { Kind: CellKind.Read, Type: "IHot.Run1" });
        Assert.Equal(2, first.Cells);
        Assert.Equal((110 / 165.0) - 1, first.Without.Gain, 9);
        Assert.Equal(0, first.Alone.Gain, 9);
    }

    [Fact]
    public void Cells_are_exchanged_with_the_best_of_those_that_are_compared()
    {
        var judge = new Judge(table => table.Name switch { "locking" => 120, "occ" => 100, _ => 200 });

        var result = Run(judge, s_handsOn, [s_occ, BuiltIn("locking")]);

        Assert.Equal(["occ", "locking"], result.Compared.Select(trial => trial.Name));
        Assert.Equal("locking", result.Best.Name);
        Assert.Contains(result.Groups, group => group.Kind == CellKind.Holders);
    }

    [Fact]
    public void All_seven_kinds_of_cells_are_groups()
    {
        var waits = new PolicyCells
        {
            Read = ReadVersion.Dirty, Write = WriteVisibility.Public, EarlyValidation = true, WaitForHolders = true,
                Waits = PolicyWaits.AllSealed,
            Heat = PolicyCells.Plain,
        };
        var other =
            new PolicyDocument { Name = "all", Rule = PolicyRules.Uniform, Default = waits,
            Backoff = new PolicyBackoff([1, 1, 1], [8, 8, 8]) };

        var result = Run(new Judge(_ => 100), other, [s_occ]);

        Assert.Equal(Enum.GetValues<CellKind>().Order(), result.Groups.Where(group => group.Type is null)
            .Select(group => group.Kind).Order());
    }

    [Fact]
    public void Two_tables_that_are_the_same_have_no_groups() =>
        Assert.Equal(0, Run(new Judge(Worth), s_occ with { Name = "mine" }, [s_occ]).Wanted);

    [Fact]
    public void Nothing_is_replayed_twice_and_all_of_it_is_on_held_out_data()
    {
        var judge = new Judge(Worth);
        var reports = new List<AblationProgress>();

        var result = TableAblation.Run(Plan(judge, s_handsOn, [s_occ]), reports.Add, CancellationToken.None);

        Assert.Equal(judge.Asked.Count, judge.Asked.Distinct().Count());
        Assert.All(judge.Asked, asked => Assert.Equal(ReplayPart.HeldOut, asked.Part));
        Assert.Equal(Enumerable.Range(1, judge.Asked.Count), reports.Select(report => report.Done));
        Assert.Equal([null, judge.Asked.Count], reports.Select(report => report.All).Distinct());
        Assert.Equal(2 * (2 + (2 * result.Wanted)), judge.Asked.Count);
    }

    [Fact]
    public void What_is_known_when_it_is_ended_is_the_result()
    {
        using var ending = new CancellationTokenSource();

        // Two seeds of two tables, then of the first group's two, and one more replay.
        var result = TableAblation.Run(Plan(new Judge(Worth), s_handsOn, [s_occ]), progress =>
            EndAt(progress, 9, ending), ending.Token);

        Assert.False(result.IsWhole);
        Assert.Equal((CellKind.Read, (string?)null), (Assert.Single(result.Groups).Kind, result.Groups[0].Type));
        Assert.Equal(6, result.Wanted);
    }

    [Fact]
    public void Nothing_is_known_before_the_tables_themselves_were_replayed()
    {
        using var ending = new CancellationTokenSource();

        Assert.Throws<OperationCanceledException>(() =>
            TableAblation.Run(Plan(new Judge(Worth), s_handsOn, [s_occ]), progress =>
            EndAt(progress, 3, ending), ending.Token));
    }

    [Fact]
    public void Replays_come_to_the_same_on_one_thread_and_on_three_and_the_table_to_what_it_makes_by_its_rule()
    {
        var settings = new ReplaySettings { Clients = 8, Warmup = 5, Measured = 40, NetworkMicroseconds = 1_000 };
        var evaluator = new ReplayEvaluator(s_workload, settings);
        var one = TableAblation.Run(Plan(evaluator, s_handsOn, [s_occ]) with { Threads = 1 }, _ =>
            { }, CancellationToken.None);
        var three = TableAblation.Run(Plan(evaluator, s_handsOn, [s_occ]) with { Threads = 3 }, _ =>
            { }, CancellationToken.None);

        Assert.Equal(one.Groups, three.Groups);
        var trial =
            HeldOutTrial.Run(evaluator, ScoreObjective.Throughput,
            [new DocumentPolicy(s_handsOn), new DocumentPolicy(s_occ)], 1, 2, 1, CancellationToken.None);
        Assert.Equal([trial[0].Scores, trial[1].Scores], new[] { one.Table.Scores, one.Best.Scores });
    }

    [Fact]
    public void There_must_be_something_to_compare_with_and_two_replays_for_an_error()
    {
        Assert.Throws<ArgumentException>(() => Run(new Judge(Worth), s_occ, []));
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            TableAblation.Run(Plan(new Judge(Worth), s_occ, [s_handsOn]) with { Replays = 1 }, _ =>
            { }, CancellationToken.None));
    }

    private static void EndAt(AblationProgress progress, int replays, CancellationTokenSource ending)
    {
        if (progress.Done == replays) ending.Cancel();
    }

    private static PolicyDocument BuiltIn(string name) => BuiltinPolicies.Get(name).Document;

    /// <summary>Half as much again if all reads are dirty, and a tenth if all writes are public.</summary>
    private static double Worth(PolicyDocument table)
    {
        var rows = table.Types.SelectMany(type => type.Rows).Select(row => row.Cells).ToList();
        return 100 * (rows.TrueForAll(row => row.Read == ReadVersion.Dirty) ? 1.5
            : 1) * (rows.TrueForAll(row => row.Write == WriteVisibility.Public) ? 1.1 : 1);
    }

    private static AblationResult Run(ITableEvaluator evaluator, PolicyDocument table,
        IReadOnlyList<PolicyDocument> compared) =>
        TableAblation.Run(Plan(evaluator, table, compared), _ => { }, CancellationToken.None);

    private static AblationPlan Plan(ITableEvaluator evaluator, PolicyDocument table,
        IReadOnlyList<PolicyDocument> compared) =>
        new() { Workload = s_workload, Evaluator = evaluator, Table = table, Compared = compared, Replays = 2,
            Threads = 1 };

    /// <summary>Tables that are worth what a function says, whatever the seed.</summary>
    private sealed class Judge(Func<PolicyDocument, double> worth) : ITableEvaluator
    {
        public List<(PolicyDocument Table, ReplayPart Part, ulong Seed)> Asked { get; } = [];

        public ReplayScore Evaluate(IPolicyCompiler table, ReplayPart part, ulong seed)
        {
            var document = ((DocumentPolicy)table).Document;
            Asked.Add((document, part, seed));
            return new ReplayScore(worth(document), 0, 1, 1, 1, 0, 1, 1, false, 0);
        }
    }
}
