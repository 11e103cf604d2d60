using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Agents.Admission;

/// <summary>Three silos over a few hot accounts, with more clients on the first one.</summary>
public sealed class AgreedLimitTests
{
    private const int Clients = 90;

    [Fact]
    public void Silos_go_by_one_limit()
    {
        var (held, equal) = Run(static _ => { });
        Assert.InRange(held, 0.5, 1);
        Assert.InRange(equal, 0.8 * held, 1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Messages_that_are_lost_or_come_twice_change_nothing_for_long(bool twice)
    {
        var (held, equal) = Run(tap =>
        {
            var count = 0;
            if (twice) tap.Duplicate(message => message.Kind == MessageKind.AttemptLimit);
            else tap.Drop(message => message.Kind == MessageKind.AttemptLimit && ++count % 3 == 0);
        });
        Assert.InRange(held, 0.5, 1);
        Assert.InRange(equal, 0.7 * held, 1);
    }

    [Fact]
    public void Who_hears_nothing_finds_a_limit_of_its_own()
    {
        var (held, equal) = Run(static tap => tap.Drop(message => message.Kind == MessageKind.AttemptLimit));
        Assert.InRange(held, 0.5, 1);
        Assert.InRange(equal, 0, 0.5 * held);
    }

    [Fact]
    public void When_the_last_silo_has_swapped_its_table_the_limit_begins_anew_for_all()
    {
        var swapped = new List<int>();
        Run(static _ => { }, cluster =>
        {
            foreach (var node in cluster.Alive.Reverse())
            {
                var before = node.Engine.AttemptLimit;
                node.Policies.Swap(AdmissionPolicy.Of(PolicyAdmission.Run));
                for (var step = 0; step < 20 && node.Engine.AttemptLimit < 16; step++) cluster.Loop.RunFor(1_000);
                swapped.Add(node.Engine.AttemptLimit);
                Assert.InRange(before, 1, 15);
                cluster.Loop.RunFor(2_000_000);
            }
        });
        Assert.Equal([16, 16, 16], swapped);
    }

    /// <summary>How much of the time all silos hold attempts, and how much of it they do by the same limit.</summary>
    private static (double Held, double Equal) Run(Action<WireTap> disturb, Action<SimulatedCluster>? then = null)
    {
        var options = ClusterShape.FastOptions();
        options.ConflictShareTarget = 0.1;
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 3, Partitions = 3, Accounts = 6, ThinkMax = 0, DirectoryLag = 0, Options = options,
                Policy = _ => AdmissionPolicy.Of(PolicyAdmission.Run),
            },
            seed: 1);
        disturb(new WireTap(cluster.Network));
        var begun = 0;
        cluster.RecordEnded = record => Submit(record.Client);
        for (var i = 0; i < Clients; i++) Submit(i);
        cluster.Loop.RunFor(2_000_000);
        var (held, equal, steps) = (0, 0, 0);
        for (var end = cluster.Loop.Now + 3_000_000; cluster.Loop.Now < end; steps++)
        {
            cluster.Loop.RunFor(1_000);
            var limits = cluster.Alive.Select(node => node.Engine.AttemptLimit).ToArray();
            if (limits.Contains(0)) continue;
            held++;
            if (limits.Distinct().Count() == 1) equal++;
        }

        then?.Invoke(cluster);
        cluster.RecordEnded = null;
        cluster.AwaitEnd(cluster.Records);
        return ((double)held / steps, (double)equal / steps);

        void Submit(int client)
        {
            var number = begun++;
            var body = Step.Sequence(Step.Update(number % 6, 1), Step.Update((number + 1 + (number % 5)) % 6, 1));
            var silo = client < 60 ? 0 : client < 75 ? 1 : 2;
            cluster.Submit(cluster.Node(silo), new TransactionSpec("Transfer", body), client: client);
        }
    }
}
