using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.LiveView.Policies;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using PolicyRollback = Polyjuice.LiveView.Policies.PolicyRollback;

namespace Polyjuice.LiveView.Tests.Policies;

public sealed class PublishedPolicyActionsTests
{
    private readonly UnreachableEntries _entries = new();
    private readonly PolicyStore _policies = new(new SiteRegistry(), BuiltinPolicies.Get("occ"));
    private readonly PolicyRepository _repository;
    private readonly PublishedPolicyActions _actions;

    public PublishedPolicyActionsTests()
    {
        _repository = new PolicyRepository(_entries, TimeProvider.System);
        _actions = new PublishedPolicyActions(_repository, _policies, follower: null);
    }

    [Fact]
    public async Task Versions_are_what_was_published_and_what_silos_are_started_with()
    {
        await PublishAsync("ic3");
        await PublishAsync("locking");
        await _repository.RollBackAsync("too slow", "silo 3");
        var history = await HistoryAsync();
        Assert.Equal(
            [(0, "occ"), (1, "ic3"), (2, "locking"), (3, "ic3")],
            history.Select(version => (version.Number, version.Name)));
        Assert.Equal("published by olivia", history[1].Note);
        Assert.Contains("too slow", history[3].Note, StringComparison.Ordinal);
        Assert.Contains("silo 3", history[3].Note, StringComparison.Ordinal);
        Assert.All(history.Skip(1), version => Assert.NotNull(version.Since));
    }

    [Fact]
    public async Task A_rollback_is_published_for_all_who_follow()
    {
        await PublishAsync("ic3");
        await PublishAsync("locking");
        var made = await _actions.RollBackAsync(new PolicyRollback(1, 2, "too slow", "olivia"), CancellationToken.None);
        Assert.Equal((3, "ic3"), (made.Number, made.Name));
        var published = await _repository.ReadAsync();
        Assert.Equal((1, true), (published.InForce, published.IsRolledBack(2)));
        Assert.Equal("ic3", (await HistoryAsync())[^1].Name);
        Assert.Equal(
            "occ",
            (await _actions.RollBackAsync(
                new PolicyRollback(0, 3, "as at first", "olivia"), CancellationToken.None)).Name);
    }

    [Theory]
    [InlineData(9, 2, "no version 9")]
    [InlineData(1, 1, "not in force any more")]
    [InlineData(2, 2, "is not an earlier one")]
    public async Task What_is_refused_changes_nothing(long to, long from, string expected)
    {
        await PublishAsync("ic3");
        await PublishAsync("locking");
        var exception = await Assert.ThrowsAsync<PolicyActionException>(
            async () => await _actions.RollBackAsync(
                new PolicyRollback(to, from, "why", "who"), CancellationToken.None));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
        Assert.Equal(2, (await _repository.ReadAsync()).Last);
    }

    [Fact]
    public async Task While_the_place_cannot_be_reached_it_is_what_was_read_last()
    {
        await PublishAsync("ic3");
        await HistoryAsync();
        _entries.IsUnreachable = true;
        var history = await HistoryAsync();
        Assert.Equal("ic3", history[^1].Name);
        Assert.Contains("the network is down", history[^1].Note, StringComparison.Ordinal);
        var exception = await Assert.ThrowsAsync<PolicyActionException>(
            async () => await _actions.RollBackAsync(new PolicyRollback(0, 1, "why", "who"), CancellationToken.None));
        Assert.Contains("the network is down", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_has_not_come_to_this_process_is_not_said_to_run_here()
    {
        using var follower = new PolicyFollower(
            _repository,
            _policies,
            () => null,
            new PublishedPoliciesOptions(),
            TimeProvider.System,
            NullLogger.Instance,
            "silo");
        var actions = new PublishedPolicyActions(_repository, _policies, follower);
        await PublishAsync("ic3");
        var before = await actions.GetRunningAsync(CancellationToken.None);
        Assert.Equal((0, "occ"), (before.Version.Number, before.Version.Policy.Name));
        Assert.StartsWith("Version 1 (ic3) is in force in ", before.Note, StringComparison.Ordinal);
        await FollowOnceAsync(follower);
        var after = await actions.GetRunningAsync(CancellationToken.None);
        Assert.Equal((1, "ic3", ""), (after.Version.Number, after.Version.Name, after.Note));
        Assert.Same(_policies.Policy, after.Version.Policy);
        await PublishAsync("locking");
        var later = await actions.GetRunningAsync(CancellationToken.None);
        Assert.Equal((1, "ic3"), (later.Version.Number, later.Version.Name));
        Assert.Contains("Version 2 (locking)", later.Note, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_that_follows_without_engines_shows_what_is_in_force()
    {
        await PublishAsync("ic3");
        var running = await _actions.GetRunningAsync(CancellationToken.None);
        Assert.Equal((1, "ic3", ""), (running.Version.Number, running.Version.Name, running.Note));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_view_acts_on_what_its_process_follows(bool follows)
    {
        var services = new ServiceCollection().AddPolyjuiceLiveView().AddSingleton(_policies);
        if (follows)
            services.AddSingleton(
                new PolicyFollower(
                    _repository,
                    _policies,
                    () => null,
                    new PublishedPoliciesOptions(),
                    TimeProvider.System,
                    NullLogger.Instance,
                    "silo"));
        using var provider = services.BuildServiceProvider();
        Assert.Equal(follows, provider.GetRequiredService<IPolicyActions>() is PublishedPolicyActions);
    }

    private Task PublishAsync(string name) =>
        _repository.PublishAsync(PolicyWriter.Write(BuiltinPolicies.Get(name).Document), "olivia");

    private static async Task FollowOnceAsync(PolicyFollower follower)
    {
        using var ending = new CancellationTokenSource();
        follower.Changed += _ => ending.Cancel();
        await follower.RunAsync(ending.Token).WaitAsync(TimeSpan.FromMinutes(2));
    }

    private async Task<IReadOnlyList<PolicyVersion>> HistoryAsync() =>
        await _actions.GetHistoryAsync(CancellationToken.None);

    private sealed class UnreachableEntries : IPolicyEntries
    {
        private readonly MemoryPolicyEntries _entries = new();

        public bool IsUnreachable { get; set; }

        public string Location => _entries.Location;

        public ValueTask<int> GetLastAsync(CancellationToken cancellationToken) =>
            IsUnreachable ? throw new IOException("the network is down") : _entries.GetLastAsync(cancellationToken);

        public ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken) =>
            _entries.ReadAsync(number, cancellationToken);

        public ValueTask<bool> CreateAsync(
            int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
            _entries.CreateAsync(number, content, cancellationToken);
    }
}
