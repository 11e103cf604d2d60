using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Agents.Choosing;

/// <summary>Three silos, of which one chooses a table for all.</summary>
public sealed class AgreedChoiceTests
{
    private const int Clients = 30;
    private const int Accounts = 60;
    private const long Second = 1_000_000;

    private static readonly string[] _tables = ["occ", "locking", "dirty-public"];

    [Fact]
    public void All_silos_go_by_the_same_table()
    {
        var (equal, tables) = Run(static _ => { });
        Assert.InRange(equal, 0.97, 1);
        Assert.Equal(_tables.Order(), tables.Order());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Messages_that_are_lost_or_come_twice_change_nothing_for_long(bool twice)
    {
        var (equal, tables) = Run(cluster =>
        {
            var (tap, random) = (new WireTap(cluster.Network), new SimulationRandom(3));
            if (twice) tap.Duplicate(message => message.Kind == MessageKind.Choice);
            else tap.Drop(message => message.Kind == MessageKind.Choice && random.Chance(0.3));
        });
        Assert.InRange(equal, 0.9, 1);
        Assert.Equal(_tables.Order(), tables.Order());
    }

    [Fact]
    public void Who_hears_nothing_chooses_for_itself()
    {
        var (equal, tables) = Run(
            static cluster => new WireTap(cluster.Network).Drop(message => message.Kind == MessageKind.Choice));
        Assert.InRange(equal, 0, 0.97);
        Assert.Equal(_tables.Order(), tables.Order());
    }

    [Fact]
    public void When_the_one_that_chooses_dies_another_one_does()
    {
        var (equal, tables) = Run(static cluster =>
        {
            cluster.Loop.RunFor(Second);
            cluster.Crash(cluster.Node(0));
        });
        Assert.InRange(equal, 0.9, 1);
        Assert.Equal(_tables.Order(), tables.Order());
    }

    [Fact]
    public void After_a_shift_the_best_table_is_in_force_within_three_seconds()
    {
        var commits = _tables.Select(table => CommitsAfterShift(_ => BuiltinPolicies.Get(table))).ToList();
        var chosen = CommitsAfterShift(_ => new PolicyOfModel(Equal()));
        var (best, worst) = (commits.Max(), commits.Min());
        Assert.True(worst < 0.85 * best, $"there is nothing to choose: {string.Join(", ", commits)}");
        Assert.True(chosen >= 0.9 * best, $"{chosen} where the tables make {string.Join(", ", commits)}");
    }

    /// <summary>
    /// What commits in three seconds of a hot load that begin three seconds after a quiet one has become it.
    /// </summary>
    private static long CommitsAfterShift(Func<NodeId, IPolicyCompiler> policy)
    {
        using var load = new Load(policy);
        load.Cluster.Loop.RunFor(Second / 2);
        load.Hot = 3;
        load.Cluster.Loop.RunFor(3 * Second);
        var before = load.Committed;
        load.Cluster.Loop.RunFor(3 * Second);
        var after = load.Committed;
        load.End();
        return after - before;
    }

    /// <summary>How much of the time all silos have the same table in force, and which they have.</summary>
    private static (double Equal, IReadOnlyCollection<string> Tables) Run(Action<SimulatedCluster> disturb)
    {
        using var load = new Load(_ => new PolicyOfModel(Equal())) { Hot = 3 };
        disturb(load.Cluster);
        var (equal, steps, tables) = (0, 0, new HashSet<string>());
        for (var end = load.Cluster.Loop.Now + (6 * Second); load.Cluster.Loop.Now < end; steps++)
        {
            load.Cluster.Loop.RunFor(1_000);
            var now = load.Cluster.Alive.Select(node => node.Engine.Tables.Current.Name).Distinct().ToList();
            tables.UnionWith(now);
            if (now.Count == 1) equal++;
        }

        load.End();
        return ((double)equal / steps, tables);
    }

    /// <summary>A model that knows nothing, so that all of them race.</summary>
    private static ChoiceModel Equal() => new()
    {
        Features = Polyjuice.Agents.LoadFeatures.Names(_tables),
        Tables = [.. _tables.Select(table => new ChoiceTable { Name = table, Trees = [] })],
    };

    private sealed class PolicyOfModel(ChoiceModel model) : IPolicyCompiler
    {
        public string Name => "chosen";

        public PolicyTable Compile(SiteRegistry registry, int version)
        {
            var table = new PolicyTableBuilder(registry, Name).Build(version);
            TableChoices.Add(table, model, registry);
            return table;
        }
    }

    /// <summary>Clients that begin the next transaction when one has ended.</summary>
    private sealed class Load : IDisposable
    {
        private int _begun;
        private bool _isOver;

        public Load(Func<NodeId, IPolicyCompiler> policy)
        {
            Cluster = SimulatedCluster.Start(
                new ClusterShape
                {
                    Nodes = 3, Partitions = 3, Accounts = Accounts, ThinkMax = 300, DirectoryLag = 0, Policy = policy,
                    Options = ClusterShape.FastOptions(),
                },
                seed: 1);
            Cluster.RecordEnded = record =>
            {
                if (record.Outcome == Outcome.Committed) Committed++;

                // Not within the event that has ended it, which may be a crash that ends others, too.
                Cluster.Loop.Queue(0, EventKind.Client, record.Client, () => SubmitNext(record.Client));
            };
            for (var i = 0; i < Clients; i++) Submit(i);
        }

        public SimulatedCluster Cluster { get; }

        public long Committed { get; private set; }

        /// <summary>How many accounts are chosen among.</summary>
        public int Hot { get; set; } = Accounts;

        public void End()
        {
            _isOver = true;
            Cluster.AwaitEnd(Cluster.Records);
        }

        public void Dispose() => Cluster.Dispose();

        private void SubmitNext(int client)
        {
            if (!_isOver) Submit(client);
        }

        private void Submit(int client)
        {
            var number = _begun++;
            var hot = Hot;
            int[] accounts = [number % hot, (number + 1 + (number % (hot - 1))) % hot, (number * 7) % Accounts];
            var body = Step.Sequence([.. accounts.Distinct().Select(account => Step.Update(account, 1))]);
            Cluster.Submit(
                Cluster.Alive[client % Cluster.Alive.Count], new TransactionSpec("Transfer", body), client: client);
        }
    }
}
