using System.Collections.Concurrent;
using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Tests.Scoring;

public class HeldOutChoiceTests
{
    private const int Replays = 10;

    [Fact]
    public void The_best_is_chosen_and_most_replays_go_to_the_last_two()
    {
        var evaluator = new KnownWorth(new()
        {
            ["a"] = 90, ["b"] = 100, ["c"] = 99, ["d"] = 50, ["e"] = 60, ["f"] = 70
        });

        var chosen = Choose(evaluator, "a", "b", "c", "d", "e", "f");

        Assert.Equal("b", chosen.Name);
        Assert.Equal([5, 5, 5], new[] { "d", "e", "f" }.Select(name => evaluator.Count(name)));
        Assert.Equal([20, 20], new[] { "b", "c" }.Select(name => evaluator.Count(name)));
        Assert.InRange(evaluator.All, 6 * Replays, 7 * Replays);
    }

    [Fact]
    public void No_seed_is_replayed_twice_and_all_replays_are_of_held_out_transactions()
    {
        var evaluator = new KnownWorth(new() { ["a"] = 90, ["b"] = 100, ["c"] = 99 });

        Choose(evaluator, "a", "b", "c");

        Assert.Equal(evaluator.All, evaluator.Asked.Distinct().Count());
        Assert.All(evaluator.Asked, one => Assert.Equal(ReplayPart.HeldOut, one.Part));
    }

    [Fact]
    public void One_table_alone_is_chosen_without_a_replay()
    {
        var evaluator = new KnownWorth(new() { ["a"] = 90 });

        Assert.Equal("a", Choose(evaluator, "a").Name);
        Assert.Equal(0, evaluator.All);
    }

    [Fact]
    public void Nothing_can_be_chosen_from_nothing() =>
        Assert.Throws<ArgumentException>(() => Choose(new KnownWorth([])));

    private static PolicyDocument Choose(KnownWorth evaluator, params string[] names) =>
        HeldOutChoice.Of(
            evaluator,
            ScoreObjective.Throughput,
            [.. names.Select(name => BuiltinPolicies.Get("occ").Document with { Name = name })],
            1,
            Replays,
            2,
            CancellationToken.None);

    /// <summary>Tables by name, all of whose replays come to the same but for what the seed does to all.</summary>
    private sealed class KnownWorth(Dictionary<string, double> worths) : ITableEvaluator
    {
        public ConcurrentBag<(string Name, ReplayPart Part, ulong Seed)> Asked { get; } = [];

        public int All => Asked.Count;

        public int Count(string name) => Asked.Count(one => one.Name == name);

        public ReplayScore Evaluate(IPolicyCompiler table, ReplayPart part, ulong seed)
        {
            Asked.Add((table.Name, part, seed));
            return new ReplayScore(worths[table.Name] + (seed % 7), 0, 1, 1, 1, 0, 1, 1, false, 0);
        }
    }
}
