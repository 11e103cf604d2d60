using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Agents.Learning;

/// <summary>How the transactions of a type are let in, on all silos alike.</summary>
public class AgreedAdmissionTests
{
    private const long Simulated = 6_000_000;

    [Fact]
    public void All_silos_reserve_or_none_does()
    {
        var (reserving, mixed) = Run(static _ => { });
        Assert.InRange(reserving, 0.8, 1);
        Assert.InRange(mixed, 0, 0.01);
    }

    [Fact]
    public void Who_hears_nothing_decides_for_itself()
    {
        var (_, mixed) = Run(static tap => tap.Drop(message => message.Kind == MessageKind.Admission));
        Assert.InRange(mixed, 0.02, 1);
        var (_, agreed) = Run(static _ => { });
        Assert.True(mixed > 10 * agreed, $"{mixed} beside {agreed}");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Messages_that_are_lost_or_come_twice_change_nothing_for_long(bool twice)
    {
        var (reserving, mixed) = Run(tap =>
        {
            var count = 0;
            if (twice) tap.Duplicate(message => message.Kind == MessageKind.Admission);
            else tap.Drop(message => message.Kind == MessageKind.Admission && ++count % 3 == 0);
        });
        Assert.InRange(reserving, 0.8, 1);
        Assert.InRange(mixed, 0, 0.01);
    }

    [Fact]
    public void What_the_one_that_decides_does_the_others_hear_and_do_too()
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 3,
                Partitions = 3,
                Accounts = 12,
                ThinkMax = 300,
                DirectoryLag = 0,
                Options = Unlearned(),
                Policy = _ => AdmissionPolicy.Of(
                    PolicyAdmission.Auto, PolicyActions.ReadDirty | PolicyActions.WritePublic)
            },
            seed: 1);
        var begun = 0;
        cluster.RecordEnded = record => Submit(record.Client);
        for (var i = 0; i < 12; i++) Submit(i);
        cluster.Loop.RunFor(100_000);
        Assert.DoesNotContain(cluster.Alive, node => IsLetIn(node.Engine, AdmissionArm.KeepWrites));
        var deciding = cluster.Node(0).Engine;
        cluster.Require(
            () =>
            {
                // As if it had been told so itself, by one that decided before it and is gone.
                if (!IsLetIn(deciding, AdmissionArm.KeepWrites))
                    deciding.Learning.Follow(Transfers(deciding), AdmissionArm.KeepWrites, deciding.Now);
                return cluster.Alive.All(node => IsLetIn(node.Engine, AdmissionArm.KeepWrites));
            },
            5_000_000, "progress", "all silos must keep writes private");
        cluster.RecordEnded = null;
        cluster.AwaitEnd(cluster.Records);
        Assert.All(cluster.Records, record => Assert.Equal(Outcome.Committed, record.Outcome));

        void Submit(int client)
        {
            var number = begun++;
            cluster.Submit(
                cluster.Node(client % 3),
                new TransactionSpec(
                    "Transfer", Step.Sequence(Step.Update(number % 12, 1), Step.Update((number + 5) % 12, 1))),
                client: client);
        }
    }

    [Fact]
    public void What_must_not_be_run_dry_tries_to_keep_its_writes_private_on_all_silos_alike_and_nothing_else()
    {
        var (keeping, mixed) = Run(
            AdmissionArm.KeepWrites, PolicyActions.ReadDirty | PolicyActions.WritePublic, mayRunDry: false,
            static _ => { },
            static cluster =>
            {
                Assert.DoesNotContain(cluster.Alive, node => IsLetIn(node.Engine, AdmissionArm.Reserve));
                Assert.All(cluster.Alive, node => Assert.Equal(0, node.Engine.Statistics.DryRuns));
            });
        Assert.True(keeping > 10 * mixed, $"{keeping:P1} of the time on all silos, {mixed:P1} on some");
    }

    private static int Transfers(TransactionEngine engine) =>
        Enumerable.Range(0, engine.Tables.TypesKnown).Single(type => engine.Tables.NameOfType(type) == "Transfer");

    private static bool IsLetIn(TransactionEngine engine, AdmissionArm arm) =>
        Enumerable.Range(0, engine.Tables.TypesKnown)
            .Any(
                type => engine.Tables.NameOfType(type) == "Transfer" && engine.Learning.ArmOf(type, engine.Now) == arm);

    private static (double Reserving, double Mixed) Run(Action<WireTap> disturb) =>
        Run(AdmissionArm.Reserve, PolicyActions.ReadDirty, mayRunDry: true, disturb, static _ => { });

    // Where it is learned what they access, no ways are tried.
    private static EngineOptions Unlearned()
    {
        var options = ClusterShape.FastOptions();
        options.LearnsAccessSets = false;
        return options;
    }

    /// <summary>
    /// Three silos over two hot accounts, and clients that begin the next transaction when one has ended: how much of
    /// the time all silos let them in one way, and how much of it only some.
    /// </summary>
    private static (double All, double Some) Run(
        AdmissionArm arm, PolicyActions actions, bool mayRunDry, Action<WireTap> disturb,
        Action<SimulatedCluster> look)
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 3,
                Partitions = 3,
                Accounts = 12,
                ThinkMax = 300,
                DirectoryLag = 0,
                Options = Unlearned(),
                Policy = _ => AdmissionPolicy.Of(PolicyAdmission.Auto, actions)
            },
            seed: 1);
        disturb(new WireTap(cluster.Network));
        var begun = 0;
        cluster.RecordEnded = record => Submit(record.Client);
        for (var i = 0; i < 36; i++) Submit(i);
        var (all, some, steps) = (0, 0, 0);
        for (var end = cluster.Loop.Now + Simulated; cluster.Loop.Now < end; steps++)
        {
            cluster.Loop.RunFor(1_000);
            var so = cluster.Alive.Count(node => IsLetIn(node.Engine, arm));
            if (so == cluster.Alive.Count) all++;
            else if (so > 0) some++;
            look(cluster);
        }

        cluster.RecordEnded = null;
        cluster.AwaitEnd(cluster.Records);
        look(cluster);
        Assert.All(cluster.Records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        return ((double)all / steps, (double)some / steps);

        void Submit(int client)
        {
            var number = begun++;
            int[] accounts = [number % 2, 2 + (number % 10), (number + 1) % 2];
            var body = Step.Sequence([.. accounts.Select(account => Step.Update(account, 1))]);
            cluster.Submit(
                cluster.Node(client < 20 ? 0 : client < 30 ? 1 : 2),
                new TransactionSpec("Transfer", body, MayRunDry: mayRunDry),
                client: client);
        }
    }
}
