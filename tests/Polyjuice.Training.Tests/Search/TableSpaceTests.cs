using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Traces;
using Polyjuice.Waits;

namespace Polyjuice.Training.Tests.Search;

public sealed class TableSpaceTests
{
    private readonly ReplayWorkload _workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);

    [Fact]
    public void Every_built_in_table_is_encoded_without_loss()
    {
        var space = Space();
        foreach (var policy in BuiltinPolicies.All)
        {
            var spelled = policy.Materialize(_workload.CreateRegistry());

            var decoded = space.Decode(space.Encode(policy.Document), policy.Name);

            foreach (var type in _workload.Catalogue.Types)
            {
                foreach (var site in type.Sites)
                {
                    var (expected, actual) =
                        (spelled.Find(type.Name)!.Find(site.Name)!, decoded.Find(type.Name)!.Find(site.Name)!);
                    Assert.Equal(expected with { Waits = PolicyWaits.None }, actual with { Waits = PolicyWaits.None });
                    foreach (var other in _workload.Catalogue.Types)
                        Assert.Equal(expected.Waits[other.Name], actual.Waits[other.Name]);
                }

                Assert.Equal(spelled.BackoffOf(type.Name), decoded.BackoffOf(type.Name));
            }
        }
    }

    [Fact]
    public void Any_candidate_is_a_valid_policy_file_that_comes_back_the_same()
    {
        var space = Space();
        var random = new SimulationRandom(5);
        for (var i = 0; i < 50; i++)
        {
            var candidate = Mutation.EachCell(
                space, space.Encode(BuiltinPolicies.Get("ic3").Document), 0.5, 100, random);

            var read = PolicyReader.Parse(
                System.Text.Encoding.UTF8.GetBytes(PolicyWriter.Write(space.Decode(candidate, "random"))),
                "random.json");

            Assert.Equal(candidate, space.Encode(read));
        }
    }

    [Fact]
    public void Random_tables_commit_everything_that_clients_want()
    {
        // I1, seen from here: a search may replay any table.
        var space = Space();
        var random = new SimulationRandom(9);
        var settings = new ReplaySettings
        {
            Clients = 16, NetworkMicroseconds = 500, AppendMicroseconds = 2_000, Warmup = 10, Measured = 60
        };
        for (var i = 0; i < 20; i++)
        {
            var table = new DocumentPolicy(
                space.Decode(
                    Mutation.EachCell(space, space.Encode(BuiltinPolicies.Get("occ").Document), 0.7, 100, random),
                    "random"));

            var score = ReplayCluster.Run(_workload, table, settings, ReplayPart.All, (ulong)i);

            Assert.Equal(60, score.Committed);
            Assert.Equal(0, score.Failed);
        }
    }

    [Fact]
    public void A_change_stays_within_its_cells_choices()
    {
        var space = Space();
        var random = new SimulationRandom(3);
        var moves = new Moves(space, random);
        var (one, other) =
            (space.Encode(BuiltinPolicies.Get("ic3").Document), space.Encode(BuiltinPolicies.Get("cormcc").Document));
        var changed = 0;
        for (var i = 0; i < 300; i++)
        {
            var made = moves.Make(one, other);
            for (var cell = 0; cell < space.Cells.Count; cell++)
                Assert.InRange(made.Choices[cell], 0, space.Cells[cell].Choices - 1);
            changed += made.DistanceTo(one) > 0 ? 1 : 0;
        }

        Assert.True(changed > 200);
    }

    [Fact]
    public void Types_without_transactions_to_replay_keep_the_parents_rows_and_have_no_cells()
    {
        var builder = new AccessTraceBuilder(0);
        var silo = builder.AddSilo(1);
        var record = SyntheticTraces.Participants(builder, [silo], "Account", 1)[0];
        foreach (var (type, count) in new[] { ("IAccount.Load", 0), ("IAccount.Deposit", 200) })
        {
            var access = SyntheticTraces.Access(
                builder, new SiteKey(type, type, "Account.balance", AccessKind.Update), record, 0);
            builder.AddType(type);
            for (var i = 0; i < count; i++) SyntheticTraces.Add(builder, type, i * 100, silo, AbortReason.None, access);
        }

        var workload = ReplayWorkload.Of(builder.Build(), 1);
        var parent = BuiltinPolicies.Get("ic3").Document;
        var space = new TableSpace(workload, parent, BuiltinPolicies.All.Select(policy => policy.Document));
        var spelled = new DocumentPolicy(parent).Materialize(workload.CreateRegistry());

        var decoded = space.Decode(space.Encode(BuiltinPolicies.Get("locking").Document), "decoded");

        Assert.Equal("IAccount.Deposit", Assert.Single(workload.ContendingTypes.Select(type => workload.Types[type])));
        Assert.DoesNotContain(
            space.Cells,
            cell => workload.Types[cell.Type] == "IAccount.Load"
                || (cell.Kind == CellKind.Wait && workload.Types[cell.Other] == "IAccount.Load"));
        Assert.True(decoded.Find("IAccount.Deposit")!.Rows[0].Cells.WaitForHolders);
        Assert.Equal(spelled.Find("IAccount.Load")!.Rows[0].Cells, decoded.Find("IAccount.Load")!.Rows[0].Cells);
        Assert.Equal(
            spelled.Find("IAccount.Deposit")!.Rows[0].Cells.EffectiveWaits["IAccount.Load"],
            decoded.Find("IAccount.Deposit")!.Rows[0].Cells.EffectiveWaits["IAccount.Load"]);
    }

    private TableSpace Space() =>
        new(_workload, BuiltinPolicies.Get("ic3").Document, BuiltinPolicies.All.Select(policy => policy.Document));
}
