using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Tests.Agents;
using Polyjuice.Waits;
using static Polyjuice.Tests.Agents.LockScenes;

namespace Polyjuice.Tests.Waits;

/// <summary>
/// Many that wait for each other from node to node: what it costs to look for cycles must not grow with their pairs,
/// and must not hide the one that is there.
/// </summary>
public sealed class WaitProbeTests
{
    private const int Links = 60;
    private const long Watched = 100_000;

    [Fact]
    public void Probes_of_a_chain_in_which_the_younger_wait_for_the_older_end_after_one_hop()
    {
        using var cluster = Locks();
        var (chain, gates) = Hold(cluster);
        foreach (var gate in gates.Skip(1)) gate.Open();
        AwaitWaits(cluster, Links - 1);

        // Intervals grow with the time for which somebody has been waited for.
        cluster.Loop.RunFor(Watched * 2);
        var before = Probes(cluster);
        cluster.Loop.RunFor(Watched);

        // At the longest interval, each of them one to its agent, and from there one to where it waits, at the most.
        var intervals = Watched / (8 * cluster.Node(0).Engine.Options.ProbeMicroseconds);
        Assert.InRange(Probes(cluster) - before, 1, 2 * Links * (intervals + 1));
        AwaitCommits(cluster, chain, gates[0]);
    }

    [Fact]
    public void Probes_of_a_chain_in_which_the_older_wait_for_the_younger_are_bounded_by_time()
    {
        // All of them pass all that come after them: Links × Links / 2 in each interval, if nothing bounded that.
        using var cluster = Locks();
        var (chain, gates) = Hold(cluster, isReversed: true);
        foreach (var gate in gates.Skip(1)) gate.Open();
        AwaitWaits(cluster, Links - 1);
        var before = Probes(cluster);
        cluster.Loop.RunFor(Watched);

        // What is on its way is passed on beyond what a node may send.
        var perNode = (Watched + ProbeBudget.SavedMax + ProbeBudget.OwedMax) / ProbeBudget.ProbeMicroseconds;
        Assert.InRange(Probes(cluster) - before, Links, 2 * 3 * perNode);
        AwaitCommits(cluster, chain, gates[0]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_cycle_at_the_end_of_a_long_chain_is_found_soon(bool isReversed)
    {
        using var cluster = Locks();
        var (chain, gates) = Hold(cluster, isReversed, closes: true);
        foreach (var gate in gates.Skip(1)) gate.Open();
        AwaitWaits(cluster, Links - 1);
        cluster.Loop.RunFor(Watched);

        // The first one goes on to the middle of those that wait for
        // it: half of them are in the cycle, and half wait for it.
        gates[0].Open();
        var closed = cluster.Loop.Now;
        cluster.Require(
            () => Sum(cluster, static s => s.AbortsByReason[(int)AbortReason.Deadlock]) > 0,
            10_000_000,
            "progress",
            "the cycle must be found");
        Assert.InRange(cluster.Loop.Now - closed, 1, 50_000);
        cluster.AwaitEnd(chain);
        Assert.All(chain, static record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.Equal(1, Sum(cluster, static s => s.AbortsByReason[(int)AbortReason.Deadlock]));
        Assert.Equal(0, Sum(cluster, static s => s.WaitsEndedByDeadline));
    }

    [Fact]
    public void A_cycle_is_found_by_its_oldest_even_where_there_are_only_waits_for_reservations()
    {
        // Those alone close no cycle, so nobody there would ask: but the
        // younger one asks, from where the oldest waits for an access.
        var declares = true;
        var options = ProbingOptions();
        options.ReservationTimeoutMicroseconds = options.WaitDeadlineMicroseconds;

        // Or the younger one, whose body has not begun, would let the oldest go first.
        options.Breaks = ProtocolBreaks.NeverGiveWay;
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 2, Partitions = 2, Accounts = 2, ThinkMax = 0, DirectoryLag = 0, Declares = _ => declares,
                KeepsToSets = true, Options = options,
                Policy = static _ => AdmissionPolicy.Of(PolicyAdmission.DeclaredReserve, PolicyActions.ReadDirty),
            },
            seed: 1);
        var (before, gate) = (new Gate(), new Gate());
        var first = cluster.Submit(
            cluster.Node(1), new TransactionSpec("First", Step.Sequence(Step.Wait(before), Step.Update(1))));
        Until(cluster, () => before.Arrivals == 1);
        declares = false;
        var oldest = cluster.Submit(
            cluster.Node(1),
            new TransactionSpec("Oldest", Step.Sequence(Step.Update(1), Step.Wait(gate), Step.Update(0))));
        Until(cluster, () => ReservationScenes.Queues(cluster).Sum(static queue => queue.Requests.Count()) == 2);
        before.Open();
        Until(cluster, () => gate.Arrivals == 1);
        declares = true;
        var younger = cluster.Submit(
            cluster.Node(0),
            new TransactionSpec(
                "Younger", Step.Sequence(Step.Update(0), Step.Update(1)), TimeoutMicroseconds: 20_000_000));
        Until(cluster, () => ReservationScenes.Queues(cluster).Sum(static queue => queue.Requests.Count()) == 3);
        Assert.False(cluster.Node(1).Engine.Waits.HasUnordered);
        gate.Open();
        var closed = cluster.Loop.Now;
        cluster.AwaitEnd(first, oldest, younger);
        Assert.InRange(cluster.Loop.Now - closed, 1, options.WaitDeadlineMicroseconds / 10);
        Assert.All([first, oldest, younger], static record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.Equal(1, Sum(cluster, static s => s.AbortsByReason[(int)AbortReason.Deadlock]));
        Assert.Equal(0, Sum(cluster, static s => s.WaitsEndedByDeadline));
    }

    [Fact]
    public void What_a_node_owes_for_others_probes_is_bounded_and_what_it_saves_too()
    {
        var budget = default(ProbeBudget);
        var now = 1_000_000L;
        Assert.InRange(budget.FreeAt(now), long.MinValue, now);
        budget.Spend(now);
        Assert.Equal(now - ProbeBudget.SavedMax + ProbeBudget.ProbeMicroseconds, budget.FreeAt(now));
        for (var i = 1; i < ProbeBudget.SavedMax / ProbeBudget.ProbeMicroseconds; i++) budget.Spend(now);
        Assert.Equal(now, budget.FreeAt(now));
        budget.Spend(now);
        Assert.Equal(now + ProbeBudget.ProbeMicroseconds, budget.FreeAt(now));
        for (var i = 0; i < 1_000; i++) budget.Spend(now);
        Assert.Equal(now + ProbeBudget.OwedMax, budget.FreeAt(now));

        // Nor does it wait for a clock that was set back.
        now -= 60_000_000;
        Assert.Equal(now + ProbeBudget.OwedMax, budget.FreeAt(now));
    }

    /// <summary>
    /// Each holds a grain of its own, and is going to wait for the grain of the one before it in the chain. They begin
    /// in the order of the chain or, reversed, from its end.
    /// </summary>
    /// <param name="cluster">Where.</param>
    /// <param name="isReversed">Whether those who wait are older than whom they wait for.</param>
    /// <param name="closes">
    /// Whether the one that all the others wait for goes on to the grain of the one in the middle.
    /// </param>
    /// <returns>All of them, and their gates; of the one that all wait for first.</returns>
    private static (TransactionRecord[] Chain, Gate[] Gates) Hold(
        SimulatedCluster cluster, bool isReversed = false, bool closes = false)
    {
        var chain = new TransactionRecord[Links];
        var gates = new Gate[Links];
        foreach (var i in isReversed ? Enumerable.Range(0, Links).Reverse() : Enumerable.Range(0, Links))
        {
            var gate = gates[i] = new Gate();
            Step[] before = [Step.Update(i), Step.Wait(gate)];
            Step[] after = i > 0 ? [Step.Update(i - 1)] : closes ? [Step.Update(Links / 2)] : [];
            chain[i] = cluster.Submit(
                cluster.Node((i + 1) % 3), new TransactionSpec("Link", Step.Sequence([.. before, .. after])));
            Until(cluster, () => gate.Arrivals == 1);
            cluster.Loop.RunFor(1_000);
        }

        return (chain, gates);
    }

    private static void AwaitCommits(SimulatedCluster cluster, TransactionRecord[] chain, Gate last)
    {
        last.Open();
        cluster.AwaitEnd(chain);
        Assert.All(chain, static record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.Equal(Links, Sum(cluster, static s => s.Attempts));
        Assert.Equal(0, Sum(cluster, static s => s.WaitsEndedByDeadline));
    }

    private static void AwaitWaits(SimulatedCluster cluster, int waits) =>
        Until(cluster, () => cluster.Alive.Sum(static node => node.Engine.Waits.Count) == waits);

    private static EngineOptions ProbingOptions()
    {
        var options = PatientOptions();
        options.ProbeMicroseconds = new EngineOptions().ProbeMicroseconds;
        return options;
    }

    private static SimulatedCluster Locks() => Start(accounts: Links, ProbingOptions());

    private static long Probes(SimulatedCluster cluster) => Sum(cluster, static s => s.ProbesSent);
}
