using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Traces;
using Polyjuice.Versions;

namespace Polyjuice.Training.Tests.Replay;

public sealed class ReplayWorkloadTests
{
    private const string Type = "IRoot.Run";

    private readonly AccessTraceBuilder _builder = new(0);
    private readonly int _silo;

    public ReplayWorkloadTests() => _silo = _builder.AddSilo(1);

    [Fact]
    public void Calls_follow_from_paths_and_grains()
    {
        var (root, child, leaf) = (Participant("Root"), Participant("Child"), Participant("Leaf"));
        var accesses = new[]
        {
            SyntheticTraces.Access(_builder, Site("IRoot.Run", "Root.record"), root, 0),
            SyntheticTraces.Access(_builder, Site("IRoot.Run>IChild.Do", "Child.record"), child, 1),
            SyntheticTraces.Access(_builder, Site("IRoot.Run>IChild.Do>ILeaf.Do", "Leaf.record"), leaf, 2),
            SyntheticTraces.Access(_builder, Site("IRoot.Run>ILeaf.Do", "Leaf.record"), leaf, 3),
        };

        var program = Programs(accesses)[0];

        Assert.Equal(3, program.Root.Steps.Length);
        Assert.Equal(root, program.Root.Steps[0].Participant);
        var called = Assert.Single(program.Root.Steps[1].Calls!);
        Assert.Equal([child, -1], called.Steps.Select(step => step.Participant));
        Assert.Equal(leaf, Assert.Single(Assert.Single(called.Steps[1].Calls!).Steps).Participant);
        Assert.Equal(leaf, Assert.Single(Assert.Single(program.Root.Steps[2].Calls!).Steps).Participant);
    }

    [Fact]
    public void Calls_that_are_seen_in_both_orders_run_together_and_those_in_one_order_do_not()
    {
        var (a, b, last) = (Participant("A"), Participant("B"), Participant("Last"));
        TraceAccess A() =>
            SyntheticTraces.Access(_builder, Site("IRoot.Run>IA.Do", "A.record"), a, 0, isParallel: true);
        TraceAccess B() =>
            SyntheticTraces.Access(_builder, Site("IRoot.Run>IB.Do", "B.record"), b, 0, isParallel: true);
        TraceAccess Last() =>
            SyntheticTraces.Access(_builder, Site("IRoot.Run>ILast.Do", "Last.record"), last, 0, isParallel: true);

        var programs = Programs([A(), B(), Last()], [B(), A(), Last()]);

        Assert.All(programs, program =>
        {
            Assert.Equal([2, 1], program.Root.Steps.Select(step => step.Calls!.Length));
            Assert.Equal(last, program.Root.Steps[1].Calls![0].Steps[0].Participant);
        });
    }

    [Fact]
    public void Calls_of_parallel_calls_are_dealt_to_them_in_turn()
    {
        var children = new[] { Participant("Child"), Participant("Child") };
        var leaves = new[] { Participant("Leaf"), Participant("Leaf") };
        var accesses = children.Select(
            child => SyntheticTraces.Access(
                _builder, Site("IRoot.Run>IChild.Do", "Child.record"), child, 0, isParallel: true))
            .Concat(
                leaves.Select(
                    leaf => SyntheticTraces.Access(
                        _builder, Site("IRoot.Run>IChild.Do>ILeaf.Do", "Leaf.record"), leaf, 1, isParallel: true)))
            .ToArray();

        var calls = Assert.Single(Programs(accesses)[0].Root.Steps).Calls!;

        Assert.Equal(leaves, calls.Select(call => call.Steps[1].Calls![0].Steps[0].Participant));
    }

    [Fact]
    public void A_site_that_the_first_transaction_passed_by_stands_where_most_pass_it()
    {
        var (a, middle, last) = (Participant("A"), Participant("Middle"), Participant("Last"));
        TraceAccess A() => SyntheticTraces.Access(_builder, Site("IRoot.Run>IA.Do", "A.record"), a, 0);
        TraceAccess Middle() =>
            SyntheticTraces.Access(_builder, Site("IRoot.Run>IMiddle.Do", "Middle.record"), middle, 0);
        TraceAccess Last() => SyntheticTraces.Access(_builder, Site("IRoot.Run>ILast.Do", "Last.record"), last, 0);

        var workload = Workload([A(), Last()], [A(), Middle(), Last()]);

        Assert.Equal(
            ["A.record", "Middle.record", "Last.record"],
            workload.Catalogue.Find(Type)!.Sites.Select(site => site.State));
        Assert.Equal(
            workload.Catalogue.Find(Type)!.Sites.Select(site => site.Name),
            workload.CreateRegistry().Sites.Select(site => site.Key.Name));
    }

    [Fact]
    public void What_ran_is_told_apart_from_what_has_a_name_only()
    {
        _builder.AddType("INever.Run");
        _builder.AddSite(new SiteKey("ILoader.Load", "ILoader.Load", "Root.record", AccessKind.Update));
        _builder.AddSite(Site("IRoot.Run>INever.Do", "Never.record"));

        var access = SyntheticTraces.Access(_builder, Site("IRoot.Run", "Root.record"), Participant("Root"), 0);
        var workload = Workload([access]);

        Assert.Equal(3, workload.Catalogue.Types.Count);
        Assert.Equal(["Root.record"], Assert.Single(workload.RanCatalogue.Types).Sites.Select(site => site.State));
    }

    [Fact]
    public void Grains_are_where_their_partition_is_and_sites_are_named_as_in_the_application()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 3);

        for (var i = 0; i < workload.Keys.Length; i++)
        {
            Assert.Equal(workload.SiloOfParticipant[i], StableHash.Partition(workload.Keys[i].Grain, 3));
            Assert.Equal("record", workload.Keys[i].State);
        }

        Assert.Equal(3, workload.SiloOfParticipant.Distinct().Count());
        Assert.Contains(
            "IHot.Run1>ICold.Add Cold.record update",
            workload.Catalogue.Find("IHot.Run1")!.Sites.Select(site => site.Name));
    }

    [Fact]
    public void What_is_held_out_comes_after_what_is_searched_on_and_windows_stay_whole()
    {
        for (var i = 0; i < 100; i++)
            SyntheticTraces.Add(
                _builder,
                Type,
                i * 10,
                _silo,
                AbortReason.None,
                SyntheticTraces.Access(
                    _builder, Site("IRoot.Run", "Root.record"), i == 0 ? Participant("Root") : 0, 0));
        foreach (var start in new[] { 0, 250, 500, 750 }) _builder.AddWindow(new TraceWindow(start, start + 250));

        var workload = ReplayWorkload.Of(_builder.Build(), 1);

        Assert.Equal(Enumerable.Range(0, 75), workload.ProgramsOf(ReplayPart.Training));
        Assert.Equal(Enumerable.Range(75, 25), workload.ProgramsOf(ReplayPart.HeldOut));
    }

    private static SiteKey Site(string path, string state) => new(Type, path, state, AccessKind.Update);

    private int Participant(string grainClass) => SyntheticTraces.Participants(_builder, [_silo], grainClass, 1)[0];

    private ReplayProgram[] Programs(params TraceAccess[][] transactions) => Workload(transactions).Programs;

    private ReplayWorkload Workload(params TraceAccess[][] transactions)
    {
        for (var i = 0; i < 100; i++)
            SyntheticTraces.Add(_builder, Type, i, _silo, AbortReason.None, transactions[i % transactions.Length]);
        return ReplayWorkload.Of(_builder.Build(), 1);
    }
}
