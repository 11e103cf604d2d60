using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Agents;

public sealed class LoadingTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(0)]
    public void Nothing_is_held_while_a_grain_is_activated(int partition)
    {
        using var scene = new Scene(partition);
        var loading = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Await(() => scene.Loads.Count == 1, "the cold grain is to be activated");
        Assert.Equal(scene.Cluster.Accounts.KeyOf(scene.Cold).Grain, scene.Loads[0].Grain);
        scene.Await(() => !ReservationScenes.Queues(scene.Cluster).Any(), "what was reserved is to be given back");
        var other = scene.Submit(1, scene.Warm);
        scene.Cluster.AwaitEnd(other);
        Assert.Empty(loading.Runs);
        scene.Loads[0].Ended.SetResult(true);
        scene.Cluster.AwaitEnd(loading);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (loading.Outcome, other.Outcome));
        ReservationScenes.AssertNoAborts(scene.Cluster);
        Assert.Equal(scene.Reserved + 2, scene.Sum(statistics => statistics.Reservations));
        Assert.Equal(scene.Attempts + 2, scene.Sum(statistics => statistics.Attempts));
        ReservationScenes.AssertNothingReserved(scene.Cluster);
    }

    [Fact]
    public void What_is_active_is_not_activated_again_until_it_is_gone()
    {
        using var scene = new Scene(1);
        scene.Cluster.AwaitEnd(scene.SubmitAndLoad());
        scene.Cluster.AwaitEnd(scene.Submit(0, scene.Warm, scene.Cold));
        Assert.Single(scene.Loads);
        foreach (var node in scene.Cluster.Alive)
            node.Turn(() => node.Engine.GrainGone(scene.Cluster.Accounts.KeyOf(scene.Cold)));
        var again = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Await(() => scene.Loads.Count == 2, "it is to be activated again");
        scene.Loads[1].Ended.SetResult(true);
        scene.Cluster.AwaitEnd(again);
        Assert.Equal(2, scene.Sum(statistics => statistics.ReservationsToLoad) - scene.Loaded);
    }

    [Fact]
    public void Who_can_not_have_a_grain_activated_comes_to_it_without_reservations()
    {
        using var scene = new Scene(1);
        var gate = new Gate();
        var loading = scene.Cluster.Submit(
            scene.Cluster.Node(0),
            new TransactionSpec(
                "Load", Step.Sequence(Step.Wait(gate), Step.Update(scene.Warm, 1), Step.Update(scene.Cold, 1))));
        scene.Await(() => scene.Loads.Count == 1, "the cold grain is to be activated");
        scene.Loads[0].Ended.SetException(new InvalidOperationException("its activation fails"));
        scene.Await(() => gate.Arrivals == 1, "the body must run");
        Assert.Empty(ReservationScenes.Queues(scene.Cluster));
        gate.Open();
        scene.Cluster.AwaitEnd(loading);
        Assert.Equal(Outcome.Committed, loading.Outcome);
    }

    [Fact]
    public void Who_waits_too_long_for_a_grain_comes_to_it_without_reservations()
    {
        using var scene = new Scene(1);
        var loading = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Cluster.AwaitEnd(loading);
        Assert.Equal(Outcome.Committed, loading.Outcome);
        Assert.Equal(1, scene.Sum(statistics => statistics.ReservationTimeouts));
        Assert.False(scene.Loads[0].Ended.Task.IsCompleted);
    }

    [Theory]
    [InlineData((int)MessageKind.Load)]
    [InlineData((int)MessageKind.Loaded)]
    public void A_message_that_is_lost_once_costs_time_only(int kind)
    {
        using var scene = new Scene(1);
        var lost = false;
        new WireTap(scene.Cluster.Network).Drop(message => message.Kind == (MessageKind)kind && !lost && (lost = true));
        var loading = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Await(() => scene.Loads.Count == 1, "the cold grain is to be activated");
        scene.Loads[0].Ended.SetResult(true);
        scene.Cluster.AwaitEnd(loading);
        Assert.True(lost);
        Assert.Equal(Outcome.Committed, loading.Outcome);
        Assert.Equal(0, scene.Sum(statistics => statistics.ReservationTimeouts));
    }

    [Fact]
    public void A_silo_that_dies_is_not_waited_for()
    {
        using var scene = new Scene(1);
        var loading = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Await(() => scene.Loads.Count == 1, "the cold grain is to be activated");
        scene.Cluster.Crash(scene.Cluster.Node(1));
        scene.Cluster.AwaitEnd(loading);
        Assert.Equal(Outcome.Committed, loading.Outcome);
    }

    [Fact]
    public void Who_reserves_only_what_is_hot_has_the_rest_activated_too()
    {
        using var scene = new Scene(1, PolicyAdmission.Auto);
        scene.KeepHot();
        var first = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Cluster.AwaitEnd(first);

        // Nobody could know: it came to the cold grain by a call. Its type has learned from that.
        Assert.Empty(scene.Loads);
        foreach (var node in scene.Cluster.Alive)
            node.Turn(() => node.Engine.GrainGone(scene.Cluster.Accounts.KeyOf(scene.Cold)));
        scene.KeepHot();
        var second = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Await(() => scene.Loads.Count == 1, "the cold grain is to be activated");
        Assert.Equal(scene.Cluster.Accounts.KeyOf(scene.Cold).Grain, scene.Loads[0].Grain);
        scene.Loads[0].Ended.SetResult(true);
        scene.Cluster.AwaitEnd(second);
        Assert.Equal(Outcome.Committed, second.Outcome);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Who_has_heard_that_grains_are_active_does_not_ask_again_for_some_seconds(int partition)
    {
        using var scene = new Scene(partition, PolicyAdmission.Auto);
        scene.KeepHot();
        scene.Cluster.AwaitEnd(scene.Submit(0, scene.Warm, scene.Cold));
        scene.KeepHot();
        scene.Cluster.AwaitEnd(scene.Submit(0, scene.Warm, scene.Cold));
        var asked = scene.Sum(statistics => statistics.ReservationsToLoad);
        Assert.Equal(scene.Loaded + 1, asked);
        scene.KeepHot();
        scene.Cluster.AwaitEnd(scene.Submit(0, scene.Warm, scene.Cold));
        Assert.Equal(asked, scene.Sum(statistics => statistics.ReservationsToLoad));

        scene.Cluster.Loop.RunFor(2 * ActiveGrains.Lasting);
        foreach (var node in scene.Cluster.Alive)
            node.Turn(() => node.Engine.GrainGone(scene.Cluster.Accounts.KeyOf(scene.Cold)));
        scene.KeepHot();
        var last = scene.Submit(0, scene.Warm, scene.Cold);
        scene.Await(() => scene.Loads.Count == 1, "the cold grain is to be activated");
        scene.Loads[0].Ended.SetResult(true);
        scene.Cluster.AwaitEnd(last);
        Assert.Equal(asked + 1, scene.Sum(statistics => statistics.ReservationsToLoad));
        Assert.Equal(Outcome.Committed, last.Outcome);
    }

    /// <summary>
    /// Two silos, an account whose grain is active, and one at another partition
    /// whose is not; what is asked to be activated waits for the test.
    /// </summary>
    private sealed class Scene : IDisposable
    {
        public Scene(int partition, PolicyAdmission admission = PolicyAdmission.DeclaredReserve)
        {
            Cluster = ReservationScenes.StartDeclared(admission);
            Warm = Enumerable.Range(0, 6).First(account => Cluster.Accounts.UnitOf(account) != partition);
            Cold = Enumerable.Range(0, 6).First(account => Cluster.Accounts.UnitOf(account) == partition);
            Cluster.AwaitEnd(Cluster.Submit(Cluster.Node(0), new TransactionSpec("Warm", Step.Update(Warm, 1))));
            foreach (var node in Cluster.Alive)
            {
                node.Loads = grain =>
                {
                    var ended = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                    Loads.Add((grain, ended));
                    return ended.Task;
                };
            }

            Attempts = Sum(statistics => statistics.Attempts);
            Reserved = Sum(statistics => statistics.Reservations);
            Loaded = Sum(statistics => statistics.ReservationsToLoad);
        }

        public SimulatedCluster Cluster { get; }

        public List<(string Grain, TaskCompletionSource<bool> Ended)> Loads { get; } = [];

        public int Warm { get; }

        public int Cold { get; }

        public long Attempts { get; }

        public long Reserved { get; }

        public long Loaded { get; }

        public TransactionRecord Submit(int node, params int[] accounts) =>
            Cluster.Submit(
                Cluster.Node(node),
                new TransactionSpec("Add", Step.Sequence([.. accounts.Select(account => Step.Update(account, 1))])));

        public TransactionRecord SubmitAndLoad()
        {
            var record = Submit(0, Warm, Cold);
            Await(() => Loads.Count == 1, "the cold grain is to be activated");
            Loads[0].Ended.SetResult(true);
            return record;
        }

        /// <summary>Many meet at the warm account.</summary>
        public void KeepHot()
        {
            for (var round = 0; round < 4; round++)
                Cluster.AwaitEnd([
                    .. Enumerable.Range(0, 16)
                    .Select(i => Cluster.Submit(Cluster.Node(i % 2), new TransactionSpec("Heat", Step.Update(Warm, 1))))
                ]);
            Await(
                () => Cluster.Alive.All(node => node.Engine.Hot.Contains(Cluster.Accounts.KeyOf(Warm))),
                "the warm account is to be hot");
        }

        public void Await(Func<bool> condition, string what) => Cluster.Require(condition, 1_000_000, "progress", what);

        public long Sum(Func<EngineStatistics, long> counter) =>
            Cluster.Alive.Sum(node => counter(node.Engine.Statistics));

        public void Dispose() => Cluster.Dispose();
    }
}
