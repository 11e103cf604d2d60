using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

public sealed class PolicyStoreTests
{
    private readonly PolicyStore _store = new(new SiteRegistry(), BuiltinPolicies.Get("occ"));

    [Fact]
    public void The_history_ends_with_what_is_in_force()
    {
        _store.Swap(BuiltinPolicies.Get("ic3"));
        _store.Swap(BuiltinPolicies.Get("locking"));
        Assert.Equal(
            [(1, "occ"), (2, "ic3"), (3, "locking")],
            _store.History.Select(policy => (policy.Version, policy.Policy.Name)));
        Assert.Equal(3, _store.Current.Version);
    }

    [Fact]
    public void The_oldest_are_forgotten()
    {
        for (var i = 0; i < PolicyStore.HistoryMax + 3; i++) _store.Swap(BuiltinPolicies.Get("ic3"));
        Assert.Equal(PolicyStore.HistoryMax, _store.History.Count);
        Assert.Equal((5, PolicyStore.HistoryMax + 4), (_store.History[0].Version, _store.History[^1].Version));
    }

    [Fact]
    public void A_swap_that_another_one_has_overtaken_changes_nothing()
    {
        Assert.Equal(2, _store.TrySwap(BuiltinPolicies.Get("ic3"), expectedVersion: 1));
        Assert.Null(_store.TrySwap(BuiltinPolicies.Get("locking"), expectedVersion: 1));
        Assert.Equal("ic3", _store.Current.Name);
        Assert.Equal(2, _store.History.Count);
    }

    [Fact]
    public void Each_swap_is_told_after_it_and_one_that_fails_is_not()
    {
        var told = new List<(int Version, string Name, int InForce)>();
        _store.Swapped += policy => told.Add((policy.Version, policy.Policy.Name, _store.Current.Version));

        _store.Swap(BuiltinPolicies.Get("ic3"));
        _store.TrySwap(BuiltinPolicies.Get("locking"), expectedVersion: 1);

        Assert.Equal([(2, "ic3", 2)], told);
    }
}
