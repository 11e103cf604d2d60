using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public class TableEnumerationTests
{
    private static TrainingPlan Plan(int types, int cold) => new()
    {
        Workload = ReplayWorkload.Of(SyntheticTraces.Micro(types: types, cold: cold), 2),
        Settings = new ReplaySettings
        {
            Clients = 24, NetworkMicroseconds = 1_000, AppendMicroseconds = 5_000, Warmup = 80, Measured = 240
        },
        Name = "best",
        Parent = BuiltinPolicies.Get("dirty-public").Document,
    };

    [Fact]
    public void All_tables_of_one_type_with_one_site_are_replayed_and_the_best_is_no_worse_than_any_that_was_there()
    {
        var plan = Plan(types: 1, cold: 0);
        var enumeration = new TableEnumeration(plan, plan.Settings);

        var best = enumeration.Best(3, (_, _) => { }, CancellationToken.None);

        // 2 versions, 2 visibilities, 4 of waits for holders, 3 of waits for the type itself.
        Assert.Equal(2 * 2 * 4 * 3, enumeration.Count);
        Assert.Equal(3, best.Count);
        var replayed = best.Concat(BuiltinPolicies.Fixed.Select(policy => policy.Document))
            .Where(table => !TableTrainer.Reserves(table))
                .Select(
                    table => Enumerable.Range(0, 6)
                        .Average(
                            seed => ReplayCluster.Run(
                                plan.Workload, new DocumentPolicy(table), plan.Settings, ReplayPart.Training,
                                (ulong)seed).CommittedPerSecond))
                .ToList();
        Assert.True(replayed[0] >= 0.9 * replayed.Max(), $"{replayed[0]:n0} of {replayed.Max():n0}");
    }

    [Fact]
    public void Tables_have_all_numbers_and_no_two_are_the_same()
    {
        var plan = Plan(types: 1, cold: 0);
        var space = new TableSpace(plan.Workload, plan.Parent, TableTrainer.StartsOf(plan));
        var reduced = new ReducedSpace(space, space.Encode(plan.Parent));

        var all = Enumerable.Range(0, (int)reduced.Count).Select(number => reduced[number]).ToList();

        Assert.Equal(all.Count, all.Distinct().Count());
        Assert.Contains(space.Encode(plan.Parent), all);
    }

    [Fact]
    public void Too_many_tables_are_refused_with_how_many_there_are()
    {
        var plan = Plan(types: 2, cold: 3);

        Assert.Contains(
            "at most 100,000",
            Assert.Throws<ArgumentException>(() => new TableEnumeration(plan, plan.Settings)).Message,
            StringComparison.Ordinal);
    }
}
