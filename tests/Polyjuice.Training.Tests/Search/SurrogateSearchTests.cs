using System.Collections.Concurrent;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public class SurrogateSearchTests
{
    private static readonly TrainingPlan s_plan = new()
    {
        Workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2), Settings = new ReplaySettings(), Name = "found",
        Threads = 1, Budget = new SearchBudget(TimeSpan.FromHours(1), 200), TrialReplays = 2,
    };

    private static readonly TableSpace s_space = new(s_plan.Workload, s_plan.Parent, TableTrainer.StartsOf(s_plan));

    [Fact]
    public void Of_tables_that_do_the_same_only_one_is_replayed_further()
    {
        // Nothing but the first cell has an effect, so there are as many different tables as it has choices.
        var evaluator = new MadeUp((table, seed) => 1_000 + (10 * table.Choices[0]) + Luck(seed, 100));

        var run = TableTrainer.Search(s_plan, evaluator, _ => { }, CancellationToken.None);

        var seeds = evaluator.Asked.GroupBy(one => one.Seed).ToList();
        Assert.True(seeds[0].Count() > 50, $"{seeds[0].Count()} tables");
        Assert.All(seeds.Skip(1), seed => Assert.InRange(seed.Count(), 1, s_space.Cells[0].Choices + 1));
        Assert.InRange(run.Best(10).Count, 1, s_space.Cells[0].Choices);
    }

    [Fact]
    public void Who_leads_is_replayed_further_than_a_race_goes()
    {
        var run = TableTrainer.Search(s_plan, Noisy(), _ => { }, CancellationToken.None);

        const int RungsOfRace = 5;
        Assert.True(run.Best(1)[0].Depth > RungsOfRace, $"{run.Best(1)[0].Depth} replays of the best");
    }

    [Fact]
    public void What_is_answered_is_no_worse_than_what_it_began_with_however_lucky_others_were()
    {
        var starts = TableTrainer.StartsOf(s_plan).Concat(TableTrainer.DerivedOf(s_plan)).Select(s_space.Encode)
            .ToHashSet();
        var evaluator = new MadeUp(
            (table, seed) => 1_000 + Luck(seed ^ table.Hash, 1),
            (table, seed) => (starts.Contains(table) ? 1_000 : 500) + Luck(seed ^ table.Hash, 1));
        var run = TableTrainer.Search(s_plan, evaluator, _ => { }, CancellationToken.None);

        var result = TableTrainer.Judge(s_plan, run, evaluator, wasEnded: false);

        Assert.Contains(s_space.Encode(result.Found), starts);
        Assert.False(result.IsBetter);
    }

    /// <summary>All tables are worth the same, and luck is all that differs.</summary>
    private static MadeUp Noisy() => new((table, seed) => 1_000 + Luck(seed, 100) + Luck(seed ^ table.Hash, 100));

    private static double Luck(ulong of, double most) => most * (SimulationRandom.Mix(of) >> 11) / (1UL << 53);

    /// <summary>Replays of which is known what they come to.</summary>
    private sealed class MadeUp(
        Func<Candidate, ulong, double> training, Func<Candidate, ulong, double>? heldOut = null) : ITableEvaluator
    {
        public ConcurrentQueue<(Candidate Table, ulong Seed)> Asked { get; } = [];

        public ReplayScore Evaluate(IPolicyCompiler table, ReplayPart part, ulong seed)
        {
            var candidate = s_space.Encode(((DocumentPolicy)table).Document);
            if (part == ReplayPart.Training) Asked.Enqueue((candidate, seed));
            return new ReplayScore(
                ((part == ReplayPart.Training ? null : heldOut) ?? training)(candidate, seed), 0, 1, 1, 1, 0, 1, 1,
                false, 0);
        }
    }
}
