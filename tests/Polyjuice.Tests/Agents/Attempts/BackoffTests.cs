using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Tests.Agents.Attempts;

public sealed class BackoffTests
{
    private readonly ManualHost _host = new() { Random = Middle };
    private readonly SiteRegistry _registry = new();
    private readonly EngineOptions _options = new() { BackoffUnitMicroseconds = 100, BackoffMaxMicroseconds = 1_000 };

    // Half of all random numbers are below it: the jitter's factor is 1.
    private const ulong Middle = 1UL << 63;

    [Fact]
    public void It_grows_and_shrinks_by_one_plus_the_policys_multiplier()
    {
        var backoff = new Backoff(_options, _host);
        var table = Table();
        Assert.Equal(200, backoff.Aborted(table, 0, 0));
        Assert.Equal(400, backoff.Aborted(table, 0, 0));
        backoff.Committed(table, 0, 0);
        Assert.Equal(400, backoff.Aborted(table, 0, 0));
    }

    [Fact]
    public void The_multiplier_is_that_of_the_outcome_and_the_number_of_prior_aborts()
    {
        var backoff = new Backoff(_options, _host);
        var table = Table(
            builder => builder.SetBackoff(0, committed: false, 1, 4).SetBackoff(0, committed: false, 2, 0)
                .SetBackoff(0, committed: true, 2, 4));
        Assert.Equal(500, backoff.Aborted(table, 0, 1));
        Assert.Equal(500, backoff.Aborted(table, 0, 2));
        Assert.Equal(500, backoff.Aborted(table, 0, 9));
        backoff.Committed(table, 0, 5);
        Assert.Equal(100, backoff.Aborted(table, 0, 2));
    }

    [Fact]
    public void It_stays_within_its_bound_and_below_its_unit_there_is_none()
    {
        var backoff = new Backoff(_options, _host);
        var table = Table(builder => builder.SetBackoff(0, committed: false, 2, 0));
        for (var i = 0; i < 10; i++) Assert.InRange(backoff.Aborted(table, 0, 0), 1, 1_000);
        Assert.Equal(1_000, backoff.Aborted(table, 0, 2));
        for (var i = 0; i < 10; i++) backoff.Committed(table, 0, 0);
        Assert.Equal(0, backoff.Aborted(table, 0, 2));
    }

    [Fact]
    public void The_jitter_is_half_either_way()
    {
        var table = Table();
        _host.Random = 0;
        Assert.Equal(100, new Backoff(_options, _host).Aborted(table, 0, 0));
        _host.Random = ulong.MaxValue;
        Assert.InRange(new Backoff(_options, _host).Aborted(table, 0, 0), 299, 300);
    }

    [Fact]
    public void Types_do_not_share_it()
    {
        _registry.GetOrAddType("Other");
        var backoff = new Backoff(_options, _host);
        var table = Table();
        backoff.Aborted(table, 0, 0);
        backoff.Aborted(table, 0, 0);
        Assert.Equal(200, backoff.Aborted(table, 1, 0));
    }

    [Fact]
    public void A_type_that_has_never_aborted_has_none_to_shrink()
    {
        var backoff = new Backoff(_options, _host);
        var table = Table(builder => builder.SetBackoff(0, committed: false, 2, 0));
        backoff.Committed(table, 0, 0);
        Assert.Equal(0, backoff.Aborted(table, 0, 2));
        backoff.Committed(table, 0, 0);
        Assert.Equal(0, backoff.Aborted(table, 0, 2));
    }

    private PolicyTable Table(Action<PolicyTableBuilder>? configure = null)
    {
        _registry.GetOrAddType("Pay");
        var builder = new PolicyTableBuilder(_registry, "test");
        configure?.Invoke(builder);
        return builder.Build(1);
    }
}
