using System.Text;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>A place that loses what was published last, and silos that start after it.</summary>
public sealed class LostReleaseTests : IDisposable
{
    private readonly FollowedSilos _followed = new() { Notes = new() };

    public void Dispose() => _followed.Dispose();

    [Theory]
    [InlineData(new[] { 3 }, 2)]
    [InlineData(new[] { 2, 3 }, 1)]
    [InlineData(new[] { 1, 2, 3 }, 0)]
    public void A_silo_that_starts_keeps_the_newest_release_that_was_seen(int[] lost, int left) =>
        _followed.Run(async () =>
    {
        await PublishAsync("occ", "locking", "ic3");
        var running = await SeenAsync();
        foreach (var number in lost) _followed.Entries.Missing.Add(number);
        var started = _followed.Follow();
        await _followed.PassAsync(20);

        Assert.Equal(("ic3", "ic3"), (running.Policies.Current.Name, started.Policies.Current.Name));
        Assert.Equal([(PolicyChangeKind.Taken, 3)], started.Changes.Select(change => (change.Kind, change.Release)));
        Assert.Equal(2, _followed.Errors.Count);
        Assert.All(
            _followed.Errors,
            error => Assert.Contains(
                $"the place has lost what was published last: it holds {left} entries", error,
                StringComparison.Ordinal));
        Assert.All(
            _followed.Errors, error => Assert.Contains("Policy ic3 stays in force", error, StringComparison.Ordinal));

        _followed.Entries.Missing.Clear();
        await _followed.PublishAsync("dirty-public");
        await _followed.PassAsync(6);
        Assert.Equal(("dirty-public", "dirty-public"), (running.Policies.Current.Name, started.Policies.Current.Name));
    });

    [Fact]
    public void What_is_published_after_the_loss_counts_under_the_number_that_was_lost() => _followed.Run(async () =>
    {
        await PublishAsync("locking", "ic3");
        var running = await SeenAsync();
        _followed.Entries.Lose(2);
        var started = _followed.Follow();
        await _followed.PassAsync(10);
        Assert.Equal("ic3", started.Policies.Current.Name);
        Assert.Equal(2, (await _followed.PublishAsync("dirty-public")).Number);
        await _followed.PassAsync(10);

        Assert.Equal(("dirty-public", "dirty-public"), (running.Policies.Current.Name, started.Policies.Current.Name));
        Assert.Equal("dirty-public", await StartedAsync());
    });

    [Fact]
    public void Who_rolls_back_after_the_loss_is_followed() => _followed.Run(async () =>
    {
        await PublishAsync("locking", "dirty-public", "ic3");
        var running = await SeenAsync();
        _followed.Entries.Lose(3);
        await _followed.Repository.RollBackAsync("a loss", "anna");
        await _followed.PassAsync(10);

        Assert.Equal("locking", running.Policies.Current.Name);
        Assert.Equal("locking", await StartedAsync());
    });

    [Fact]
    public void A_release_that_was_overwritten_is_lost_as_well() => _followed.Run(async () =>
    {
        await PublishAsync("locking", "ic3");
        await SeenAsync();
        _followed.Entries.Lose(2);
        await _followed.Entries.CreateAsync(2, "garbage"u8.ToArray(), default);

        Assert.Equal("ic3", await StartedAsync());
    });

    [Fact]
    public void A_rollback_that_was_lost_is_kept() => _followed.Run(async () =>
    {
        await PublishAsync("ic3", "locking");
        await _followed.Repository.RollBackAsync("slow", "anna");
        await SeenAsync();
        _followed.Entries.Lose(3);
        Assert.Equal("ic3", await StartedAsync());
    });

    [Fact]
    public void A_rollback_to_what_silos_are_started_with_is_kept() => _followed.Run(async () =>
    {
        await PublishAsync("ic3");
        await _followed.Repository.RollBackAsync("slow", "anna");
        await SeenAsync();
        _followed.Entries.Lose(2);
        Assert.Equal("occ", await StartedAsync());
    });

    [Fact]
    public void A_release_that_can_not_be_had_any_more_leaves_what_was_configured_and_is_named() =>
        _followed.Run(async () =>
    {
        await PublishAsync("locking", "ic3");
        await SeenAsync();
        _followed.Entries.Lose(2);
        var note = Encoding.UTF8.GetString(_followed.Notes![PolicyMemory.NoteName]);
        _followed.Notes[PolicyMemory.NoteName] = Encoding.UTF8.GetBytes(
            note.Replace("anna", "ben", StringComparison.Ordinal));
        var (policies, changes) = _followed.Follow();
        await _followed.PassAsync(10);

        Assert.Equal("occ", policies.Current.Name);
        Assert.Equal([(PolicyChangeKind.Refused, 2)], changes.Select(change => (change.Kind, change.Release)));
        var error = Assert.Single(
            _followed.Errors, error => error.Contains("That can't be had here", StringComparison.Ordinal));
        Assert.Contains("by which ic3 (release 2) was in force", error, StringComparison.Ordinal);
        Assert.Contains("Policy occ, which the silo was configured with", error, StringComparison.Ordinal);
    });

    [Fact]
    public void A_release_that_nobody_who_is_trusted_has_signed_is_not_kept() => _followed.Run(async () =>
    {
        await PublishAsync("locking", "ic3");
        await SeenAsync();
        _followed.Entries.Lose(2);
        var (policies, _) = _followed.Follow(new PolicyTrust([PolicySigningKey.Generate().Verification]));
        await _followed.PassAsync(10);

        Assert.Equal("occ", policies.Current.Name);
    });

    [Fact]
    public void Entries_that_do_not_count_any_more_because_a_key_was_removed_are_not_lost() => _followed.Run(async () =>
    {
        var (old, next) = (PolicySigningKey.Generate(), PolicySigningKey.Generate());
        await _followed.PublishAsync("locking", old);
        await _followed.PublishAsync("ic3", next);
        _followed.Follow(new PolicyTrust([old.Verification, next.Verification]));
        await _followed.PassAsync(10);
        var (policies, _) = _followed.Follow(new PolicyTrust([next.Verification]));
        await _followed.PassAsync(10);

        Assert.Equal("ic3", policies.Current.Name);
        Assert.DoesNotContain(_followed.Errors, error => error.Contains("has lost", StringComparison.Ordinal));
    });

    [Fact]
    public void Logs_that_are_away_hold_nothing_up_and_what_was_seen_is_kept_when_they_are_back() =>
        _followed.Run(async () =>
    {
        await PublishAsync("locking", "ic3");
        await SeenAsync();
        _followed.Entries.Lose(2);
        _followed.Notes!.IsAway = true;
        var (policies, _) = _followed.Follow();
        await _followed.PassAsync(20);
        Assert.Equal("locking", policies.Current.Name);
        Assert.Single(
            _followed.Errors, error => error.Contains("can't be noted beside the logs", StringComparison.Ordinal));

        _followed.Notes.IsAway = false;
        await _followed.PassAsync(6);
        Assert.Equal("ic3", policies.Current.Name);
    });

    [Fact]
    public void A_note_that_is_none_is_written_anew() => _followed.Run(async () =>
    {
        await PublishAsync("ic3");
        await SeenAsync();
        _followed.Notes![PolicyMemory.NoteName] = "garbage"u8.ToArray();
        Assert.Equal("ic3", await StartedAsync());
        _followed.Entries.Lose(1);

        Assert.Equal("ic3", await StartedAsync());
    });

    [Fact]
    public void Without_a_place_for_notes_a_silo_takes_what_is_left() => _followed.Run(async () =>
    {
        _followed.Notes = null;
        await PublishAsync("locking", "ic3");
        await SeenAsync();
        _followed.Entries.Lose(2);

        Assert.Equal("locking", await StartedAsync());
    });

    private async Task PublishAsync(params string[] names)
    {
        foreach (var name in names) await _followed.PublishAsync(name);
    }

    /// <summary>A silo that has taken all of it.</summary>
    private async Task<(PolicyStore Policies, List<PolicyChange> Changes)> SeenAsync()
    {
        var running = _followed.Follow();
        await _followed.PassAsync(10);
        return running;
    }

    /// <summary>What is in force at a silo that starts now.</summary>
    private async Task<string> StartedAsync()
    {
        var (policies, _) = _followed.Follow();
        await _followed.PassAsync(10);
        return policies.Current.Name;
    }
}
