using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using static Polyjuice.Publishing.Following.PolicyChangeKind;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>Followers of published policies, second by second.</summary>
public sealed class PolicyFollowerTests : IDisposable
{
    private const string Bank = """
        { "schema": 1, "name": "bank", "rule": "uniform", "default": { }, "catalogue": { "version": 1, "types": [
          { "type": "IBank.Pay", "sites": [
            { "site": "IBank.Pay Bank.money update", "state": "Bank.money", "kind": "update" }
          ] }
        ] } }
        """;

    private readonly FollowedSilos _followed = new();

    public void Dispose() => _followed.Dispose();

    [Fact]
    public void What_is_in_force_is_taken_at_the_start_without_a_trial() => _followed.Run(async () =>
    {
        await _followed.PublishAsync("locking");
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(60);

        Assert.Equal("locking", policies.Current.Name);
        Assert.Equal([Taken], changes.Select(change => change.Kind));
    });

    [Fact]
    public void A_release_that_is_as_good_is_taken_at_once_and_kept() => _followed.Run(async () =>
    {
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("ic3");
        await _followed.PassAsync(0.5);
        Assert.Equal("ic3", policies.Current.Name);
        await _followed.PassAsync(40);

        Assert.Equal("ic3", policies.Current.Name);
        Assert.Equal([(Taken, 1), (Kept, 1)], changes.Select(change => (change.Kind, change.Release)));
    });

    [Fact]
    public void A_release_that_is_worse_is_put_back_here_and_for_all_and_not_taken_again() => _followed.Run(async () =>
    {
        var (policies, changes) = _followed.Follow();
        var other = _followed.Follow(options: new() { Trial = TimeSpan.Zero });
        await _followed.PassAsync(40);
        await _followed.PublishAsync("ic3");
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(31);

        Assert.Equal(
            [(Taken, 1), (Kept, 1), (Taken, 2), (PutBack, 2), (RolledBack, 2)],
            changes.Select(change => (change.Kind, change.Release)));
        Assert.Equal("ic3", policies.Current.Name);
        var history = await _followed.Repository.ReadAsync();
        Assert.Equal((3, 1, "silo 0"), (history.Last, history.InForce, history.Entries[2].By));
        await _followed.PassAsync(6);
        Assert.Equal("ic3", other.Policies.Current.Name);

        await _followed.PassAsync(300);
        Assert.Equal(5, changes.Count);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(1);
        Assert.Equal("locking", policies.Current.Name);
    });

    [Fact]
    public void Strong_evidence_ends_a_trial_before_its_time() => _followed.Run(async () =>
    {
        _followed.Load = policy => policy == "locking" ? new(0, 0, 10) : new(1_000, 0, 10);
        var (policies, _) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(_followed.Options.Settle.TotalSeconds + 7);

        Assert.Equal("occ", policies.Current.Name);
    });

    [Fact]
    public void The_last_of_releases_in_a_row_gives_way_to_what_has_stood_a_trial() => _followed.Run(async () =>
    {
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("ic3");
        await _followed.PassAsync(5);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(40);

        Assert.Equal("occ", policies.Current.Name);
        Assert.Equal([Taken, Taken, PutBack, RolledBack], changes.Select(change => change.Kind));
        Assert.Equal(0, (await _followed.Repository.ReadAsync()).InForce);
    });

    [Fact]
    public void A_load_that_falls_by_itself_is_not_the_releases_fault() => _followed.Run(async () =>
    {
        var (_, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        _followed.Load = _ => new(300, 0.02, 2.9);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(40);

        Assert.Equal([Taken, Kept], changes.Select(change => change.Kind));
    });

    [Fact]
    public void Without_a_load_nothing_is_judged() => _followed.Run(async () =>
    {
        _followed.Load = _ => new(0, 0, 0);
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(40);

        Assert.Equal([Taken, NotJudged], changes.Select(change => change.Kind));
        Assert.Equal("locking", policies.Current.Name);
    });

    [Fact]
    public void A_place_that_is_away_changes_nothing_and_is_followed_when_it_is_back() => _followed.Run(async () =>
    {
        await _followed.PublishAsync("ic3");
        var (policies, _) = _followed.Follow();
        await _followed.PassAsync(10);
        _followed.Entries.IsAway = true;
        await _followed.PassAsync(100);
        Assert.Equal("ic3", policies.Current.Name);
        _followed.Entries.IsAway = false;
        await _followed.PublishAsync("dirty-public");
        await _followed.PassAsync(6);

        Assert.Equal("dirty-public", policies.Current.Name);
    });

    [Fact]
    public void A_worse_release_is_put_back_while_the_place_is_away_and_for_all_later() => _followed.Run(async () =>
    {
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(1);
        _followed.Entries.IsAway = true;
        await _followed.PassAsync(40);
        Assert.Equal("occ", policies.Current.Name);
        Assert.Equal([Taken, PutBack], changes.Select(change => change.Kind));
        _followed.Entries.IsAway = false;
        await _followed.PassAsync(6);

        Assert.Equal(0, (await _followed.Repository.ReadAsync()).InForce);
        Assert.Equal([Taken, PutBack, RolledBack], changes.Select(change => change.Kind));
    });

    [Fact]
    public void A_silo_that_may_only_read_puts_back_says_so_once_and_takes_what_comes() => _followed.Run(async () =>
    {
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(1);
        _followed.Entries.IsReadOnly = true;
        await _followed.PassAsync(60);
        Assert.Equal("occ", policies.Current.Name);
        Assert.Equal([Taken, PutBack], changes.Select(change => change.Kind));
        var refusal = Assert.Single(_followed.Errors, static error => error.Contains("can't be published"));
        Assert.Contains("Read-only file system.", refusal, StringComparison.Ordinal);
        Assert.DoesNotContain(_followed.Errors, static error => error.Contains("can't be read"));

        // Somebody who may write.
        _followed.Entries.IsReadOnly = false;
        await _followed.PublishAsync("ic3");
        _followed.Entries.IsReadOnly = true;
        await _followed.PassAsync(6);
        Assert.Equal("ic3", policies.Current.Name);
        Assert.Equal(2, (await _followed.Repository.ReadAsync()).Last);
    });

    [Fact]
    public void Of_several_silos_one_rolls_back_for_all() => _followed.Run(async () =>
    {
        var silos = Enumerable.Range(0, 3).Select(_ => _followed.Follow()).ToList();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking");
        await _followed.PassAsync(60);

        Assert.All(silos, silo => Assert.Equal("occ", silo.Policies.Current.Name));
        Assert.Equal(2, (await _followed.Repository.ReadAsync()).Last);
        Assert.Single(silos.SelectMany(silo => silo.Changes), change => change.Kind == RolledBack);
    });

    [Fact]
    public void Without_the_key_that_is_needed_a_worse_release_is_put_back_here_alone() => _followed.Run(async () =>
    {
        var publisher = PolicySigningKey.Generate();
        var (policies, changes) = _followed.Follow(new PolicyTrust([publisher.Verification]));
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking", publisher);
        await _followed.PassAsync(300);

        Assert.Equal("occ", policies.Current.Name);
        Assert.Equal([Taken, PutBack], changes.Select(change => change.Kind));
        Assert.Equal(1, (await _followed.Repository.ReadAsync()).Last);
    });

    [Fact]
    public void With_a_key_of_its_own_a_silo_rolls_back_for_all() => _followed.Run(async () =>
    {
        var (publisher, silo) = (PolicySigningKey.Generate(), PolicySigningKey.Generate());
        var trust = new PolicyTrust([publisher.Verification], [silo.Verification]);
        var (_, changes) = _followed.Follow(trust, silo);
        await _followed.PassAsync(40);
        await _followed.PublishAsync("locking", publisher);
        await _followed.PassAsync(60);

        Assert.Equal(RolledBack, changes[^1].Kind);
        var history = await new PolicyRepository(_followed.Entries, _followed.Time, trust).ReadAsync();
        Assert.Equal((2, 0), (history.Last, history.InForce));
    });

    [Fact]
    public void What_is_not_signed_where_keys_are_needed_is_not_taken() => _followed.Run(async () =>
    {
        var publisher = PolicySigningKey.Generate();
        var (policies, changes) = _followed.Follow(new PolicyTrust([publisher.Verification]));
        await _followed.PublishAsync("locking");
        await _followed.PublishAsync("ic3", PolicySigningKey.Generate());
        await _followed.PassAsync(20);
        Assert.Empty(changes);
        await _followed.PublishAsync("dirty-public", publisher);
        await _followed.PassAsync(1);

        Assert.Equal("dirty-public", policies.Current.Name);
    });

    [Fact]
    public void An_entry_that_goes_missing_leaves_in_force_what_is_until_it_is_back() => _followed.Run(async () =>
    {
        await _followed.PublishAsync("ic3");
        var (policies, _) = _followed.Follow();
        await _followed.PassAsync(10);
        _followed.Entries.Missing.Add(2);
        await _followed.PublishAsync("locking");
        _followed.Entries.Missing.Add(1);
        await _followed.PassAsync(60);
        Assert.Equal("ic3", policies.Current.Name);
        _followed.Entries.Missing.Clear();
        await _followed.PassAsync(6);

        Assert.Equal("locking", policies.Current.Name);
    });

    [Fact]
    public void A_table_for_other_transactions_is_refused_until_some_of_them_are_seen() => _followed.Run(async () =>
    {
        var registry = new SiteRegistry();
        registry.GetOrAddType("IOther.Thing");
        var policies = new PolicyStore(registry, BuiltinPolicies.Get("occ"));
        var (_, changes) = _followed.Follow(policies: policies);
        await _followed.PassAsync(1);
        await _followed.Repository.PublishAsync(Bank, "anna");
        await _followed.PassAsync(20);
        Assert.Equal("occ", policies.Current.Name);
        var refusal = Assert.Single(changes);
        Assert.Equal(PolicyChangeKind.Refused, refusal.Kind);
        Assert.Contains("IBank.Pay", refusal.Text, StringComparison.Ordinal);
        registry.GetOrAddType("IBank.Pay");
        await _followed.PassAsync(6);

        Assert.Equal("bank", policies.Current.Name);
    });

    [Fact]
    public void A_table_that_a_silo_took_before_it_ran_anything_is_dropped_when_it_turns_out_to_be_for_others() =>
        _followed.Run(async () =>
        {
            await _followed.PublishAsync("ic3");
            await _followed.Repository.PublishAsync(Bank, "anna");
            var registry = new SiteRegistry();
            var (policies, changes) = _followed.Follow(policies: new(registry, BuiltinPolicies.Get("occ")));
            await _followed.PassAsync(20);
            Assert.Equal("bank", policies.Current.Name);

            registry.GetOrAddType("IOther.Thing");
            await _followed.PassAsync(20);

            Assert.Equal("ic3", policies.Current.Name);
            Assert.Equal([PolicyChangeKind.Taken, PolicyChangeKind.Refused], changes.Select(change => change.Kind));
            Assert.Contains("IBank.Pay", changes[^1].Text, StringComparison.Ordinal);
            Assert.Contains("policy ic3 is in force", Assert.Single(_followed.Errors), StringComparison.Ordinal);

            registry.GetOrAddType("IBank.Pay");
            await _followed.PassAsync(6);
            Assert.Equal("bank", policies.Current.Name);
        });

    [Fact]
    public void A_table_of_the_start_stays_when_a_transaction_runs_that_it_knows() => _followed.Run(async () =>
    {
        await _followed.Repository.PublishAsync(Bank, "anna");
        var registry = new SiteRegistry();
        var (policies, changes) = _followed.Follow(policies: new(registry, BuiltinPolicies.Get("occ")));
        await _followed.PassAsync(1);

        registry.GetOrAddType("IBank.Pay");
        await _followed.PassAsync(20);
        registry.GetOrAddType("IOther.Thing");
        await _followed.PassAsync(20);

        Assert.Equal("bank", policies.Current.Name);
        Assert.Equal(PolicyChangeKind.Taken, Assert.Single(changes).Kind);
    });

    [Theory]
    [InlineData(false, "no release is in force there, so policy occ stays in force")]
    [InlineData(true, "release 1, ic3, is published there")]
    public void A_silo_says_what_it_follows_and_whether_anything_is_there(bool isPublished, string expected) =>
        _followed.Run(async () =>
        {
            if (isPublished) await _followed.PublishAsync("ic3");
            _followed.Follow();
            await _followed.PassAsync(20);

            Assert.Single(_followed.Notices, line => line.Contains(expected, StringComparison.Ordinal));
            Assert.Single(_followed.Notices, line => line.Contains("Follows the policies", StringComparison.Ordinal));
        });

    [Fact]
    public void What_somebody_else_puts_in_force_ends_the_trial_and_stays_for_now() => _followed.Run(async () =>
    {
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.PublishAsync("ic3");
        await _followed.PassAsync(5);
        policies.Swap(BuiltinPolicies.Get("locking"));
        await _followed.PassAsync(60);
        Assert.Equal("locking", policies.Current.Name);
        Assert.Equal([Taken], changes.Select(change => change.Kind));
        await _followed.PublishAsync("dirty-public");
        await _followed.PassAsync(1);

        Assert.Equal("dirty-public", policies.Current.Name);
    });

    [Fact]
    public void A_rollback_by_hand_is_taken_without_a_trial() => _followed.Run(async () =>
    {
        await _followed.PublishAsync("locking");
        await _followed.PublishAsync("ic3");
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(40);
        await _followed.Repository.RollBackAsync("for a reason that no figure shows", "anna");
        await _followed.PassAsync(60);

        Assert.Equal("locking", policies.Current.Name);
        Assert.Equal([(Taken, 2), (Taken, 1)], changes.Select(change => (change.Kind, change.Release)));
    });
}
