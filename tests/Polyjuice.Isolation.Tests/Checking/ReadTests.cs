using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Checking;

/// <summary>Anomalies of reads and of single transactions.</summary>
public class ReadTests
{
    [Fact]
    public void Reading_what_was_aborted_is_G1a()
    {
        var report = Expect.Anomalies(Script.Concurrent("!a x 1", "r x [1]"), AnomalyKind.G1a);
        Assert.DoesNotContain(ConsistencyModel.ReadUncommitted, report.FailedModels);
        Assert.Contains(ConsistencyModel.ReadCommitted, report.FailedModels);
        Expect.Anomalies(Script.Concurrent("!a x 1", "r x []"));
    }

    [Fact]
    public void A_register_that_shows_an_aborted_write_is_G1a()
    {
        Expect.Anomalies(Script.Concurrent("!w x 1", "r x 1"), AnomalyKind.G1a);
        Expect.Anomalies(Script.Concurrent("!w x 1", "r x nil"));
    }

    [Fact]
    public void Reading_between_two_appends_of_one_transaction_is_G1b()
    {
        Expect.Anomalies(Script.Concurrent("a x 1, a x 2", "r x [1]"), AnomalyKind.G1b, AnomalyKind.GSingle);
        Expect.Anomalies(Script.Concurrent("a x 1, a x 2", "r x [1 2]"));
        Expect.Anomalies(Script.Concurrent("a x 1, r x [1], a x 2"));
    }

    [Fact]
    public void A_register_that_shows_an_intermediate_write_is_G1b()
    {
        Expect.Anomalies(Script.Concurrent("w x 1, w x 2", "r x 1"), AnomalyKind.G1b, AnomalyKind.GSingle);
        Expect.Anomalies(Script.Concurrent("w x 1, w x 2", "r x 2"));
    }

    [Fact]
    public void Reading_what_nobody_wrote_is_garbage()
    {
        Expect.Anomalies(Script.Concurrent("a x 1", "r x [1 7]"), AnomalyKind.GarbageRead)
            .Fails(Enum.GetValues<ConsistencyModel>());
        Expect.Anomalies(Script.Concurrent("w x 1", "r x 7"), AnomalyKind.GarbageRead);
    }

    [Fact]
    public void An_element_of_another_list_is_garbage() =>
        Expect.Anomalies(Script.Concurrent("a x 1, a y 2", "r x [1 2]"), AnomalyKind.GarbageRead);

    [Fact]
    public void Reading_an_append_twice_is_a_duplicate()
    {
        Expect.Anomalies(Script.Concurrent("a x 1", "r x [1 1]"), AnomalyKind.DuplicateElements);
        Expect.Anomalies(
            Script.Concurrent("a x 1", "a x 2", "r x [1 2]", "r x [1 2 1]"), AnomalyKind.DuplicateElements);
    }

    [Fact]
    public void Lists_that_are_no_prefixes_of_each_other_are_incompatible()
    {
        Assert.Contains(
            AnomalyKind.IncompatibleOrder,
            IsolationChecker.Check(Script.Concurrent("a x 1", "a x 2", "r x [1 2]", "r x [2]")).Counts.Keys);
        Assert.Contains(
            AnomalyKind.IncompatibleOrder,
            IsolationChecker.Check(Script.Concurrent("a x 1", "a x 2", "r x [1 2]", "r x [2 1]")).Counts.Keys);
        Expect.Anomalies(Script.Concurrent("a x 1", "a x 2", "r x [1 2]", "r x [1]"));
    }

    [Fact]
    public void A_transactions_appends_in_another_order_than_its_own_are_incompatible()
    {
        Expect.Anomalies(Script.Concurrent("a x 1, a x 2, a x 3", "r x [2 1 3]"), AnomalyKind.IncompatibleOrder);
        Expect.Anomalies(
            Script.Concurrent("a x 1, a x 2", "r x [2]"), AnomalyKind.IncompatibleOrder, AnomalyKind.GSingle);
        Expect.Anomalies(Script.Concurrent("a x 1, a x 2", "r x [1 2]"));
    }

    [Theory]
    [InlineData("a x 1, r x []")]
    [InlineData("r x [], a x 1, r x [1], r x []")]
    [InlineData("w y 1, r y nil")]
    public void Not_seeing_ones_own_write_is_internal(string transaction) =>
        Assert.Contains(AnomalyKind.Internal, IsolationChecker.Check(Script.Concurrent(transaction)).Counts.Keys);

    [Fact]
    public void Seeing_two_versions_of_a_key_is_internal()
    {
        Assert.Contains(
            AnomalyKind.Internal, IsolationChecker.Check(Script.Concurrent("a x 1", "r x [], r x [1]")).Counts.Keys);
        Assert.Contains(
            AnomalyKind.Internal, IsolationChecker.Check(Script.Concurrent("w x 1", "r x nil, r x 1")).Counts.Keys);
        Assert.True(
            IsolationChecker.Check(Script.Concurrent("w x 1", "r x nil, r x 1"))
                .Holds(ConsistencyModel.ReadCommitted) is var holds
                && holds);
        Expect.Anomalies(Script.Concurrent("a x 1", "r x [1], r x [1], a x 2, r x [1 2], a x 3, a x 4, r x [1 2 3 4]"));
        Expect.Anomalies(Script.Concurrent("w x 1", "r x 1, r x 1, w x 2, r x 2"));
        Expect.Anomalies(Script.Concurrent("a x 1", "a x 2, r x [1 2]"));
    }

    [Fact]
    public void Reading_what_one_writes_later_is_a_future_read()
    {
        Expect.Anomalies(Script.Concurrent("r x [1], a x 1"), AnomalyKind.FutureRead);
        Expect.Anomalies(Script.Concurrent("r x 1, w x 1"), AnomalyKind.FutureRead);
        Expect.Anomalies(Script.Concurrent("r x [], a x 1"));
    }

    [Fact]
    public void Two_updates_of_one_version_lose_one()
    {
        Expect.Anomalies(
            Script.Concurrent("r x [], a x 1", "r x [], a x 2"), AnomalyKind.LostUpdate, AnomalyKind.G2Item);
        Expect.Anomalies(
            Script.Concurrent("r x [], a x 1", "r x [], a x 2", "r x [1 2]"),
            AnomalyKind.LostUpdate,
            AnomalyKind.GSingle);
        Expect.Anomalies(Script.Concurrent("r x [], a x 1", "r x [1], a x 2"));
        Expect.Anomalies(Script.Concurrent("r x [], a x 1", "r x []"));
        Expect.Anomalies(Script.Concurrent("a x 1, r x [1]", "a x 2, r x [1 2]"));
    }

    [Fact]
    public void A_register_updated_twice_from_one_version_lost_an_update()
    {
        Expect.Anomalies(
            Script.Concurrent("r x nil, w x 1", "r x nil, w x 2"), AnomalyKind.LostUpdate, AnomalyKind.G2Item);
        Expect.Anomalies(Script.Concurrent("r x nil, w x 1", "r x 1, w x 2"));
    }

    [Fact]
    public void Writing_upon_what_was_aborted_is_a_dirty_update()
    {
        Expect.Anomalies(Script.Concurrent("!a x 1", "a x 2", "r x [1 2]"), AnomalyKind.DirtyUpdate, AnomalyKind.G1a);
        Expect.Anomalies(Script.Concurrent("!w x 1", "r x 1, w x 2"), AnomalyKind.DirtyUpdate, AnomalyKind.G1a);
        Expect.Anomalies(Script.Concurrent("!a x 1", "a x 2", "r x [2]"));
    }
}
