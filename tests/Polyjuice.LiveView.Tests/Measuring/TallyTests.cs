using Polyjuice.LiveView.Measuring;

namespace Polyjuice.LiveView.Tests.Measuring;

public sealed class TallyTests
{
    [Fact]
    public void A_sample_says_what_was_counted()
    {
        var tally = new Tally();
        tally.Committed(3);
        tally.Aborted("Pay", "Validation", 1);
        tally.Aborted("Look", "Validation", 2);
        tally.Aborted("Pay", "Validation", 1);
        tally.Aborted("Pay", "Deadlock", 5);
        tally.Took("Pay", 0.010);
        tally.Took("Pay", 0.020);
        tally.Took("Look", 0.001);
        tally.Chained(1);
        tally.Chained(4);
        tally.Cascaded(2);
        var sample = tally.ToSample(7, DateTimeOffset.UnixEpoch, 1.25, policyVersion: 9);
        Assert.Equal((7, 1.25, 3, 9), (sample.Number, sample.Seconds, sample.Commits, sample.PolicyVersion));
        Assert.Equal(new Dictionary<string, long> { ["Validation"] = 4, ["Deadlock"] = 5 }, sample.Aborts);
        Assert.Equal(
            [new("Pay", "Deadlock", 5), new("Pay", "Validation", 2), new("Look", "Validation", 2)], sample.TypeAborts);
        Assert.Equal(["Look", "Pay"], sample.Types.Select(type => type.Type));
        Assert.Equal(3, sample.Latency.Commits);
        Assert.Equal((2.5, 4, 2), (sample.ChainMean, sample.ChainMax, sample.Cascaded));
    }

    [Fact]
    public void Waits_are_summed_by_site_and_by_whom_was_waited_for()
    {
        var tally = new Tally();
        tally.Waited("Pay", "a", "Look", isAborted: false, 1);
        tally.Waited("Pay", "a", "Look", isAborted: true, 2);
        tally.Waited("Pay", "a", "Pay", isAborted: false, 4);
        Assert.Equal(
            [new SiteWaits("Pay", "a", "Look", 2, 1, 3), new SiteWaits("Pay", "a", "Pay", 1, 0, 4)], tally.Waits());
    }

    [Fact]
    public void A_sample_has_the_pairs_of_types_that_waited_longest()
    {
        var tally = new Tally();
        for (var i = 0; i < TypeWaits.Max + 3; i++) tally.Waited($"type {i}", "a", "Pay", isAborted: false, i);
        tally.Waited("type 1", "b", "Pay", isAborted: false, 100);
        var waits = tally.ToSample(1, default, 1, 1).TypeWaits;
        Assert.Equal(TypeWaits.Max, waits.Count);
        Assert.Equal(
            [new("type 1", "Pay", 101), new($"type {TypeWaits.Max + 2}", "Pay", TypeWaits.Max + 2)], waits.Take(2));
    }

    [Fact]
    public void Names_beyond_the_bound_are_counted_together()
    {
        var tally = new Tally();
        for (var i = 0; i < Tally.NamesMax + 10; i++)
        {
            tally.Waited("Pay", $"site {i}", "Pay", isAborted: false, 1);
            tally.Took($"type {i}", 1);
            tally.Aborted($"type {i}", "Validation", 1);
        }

        Assert.Equal(Tally.NamesMax + 1, tally.Waits().Count);
        Assert.Equal(10, Assert.Single(tally.Waits(), site => site.Site == Tally.Others).Waits);
        var sample = tally.ToSample(1, default, 1, 1);
        Assert.Equal(10, Assert.Single(sample.Types, type => type.Type == Tally.Others).Commits);
        Assert.Equal(10, Assert.Single(sample.TypeAborts, type => type.Type == Tally.Others).Attempts);
    }
}
