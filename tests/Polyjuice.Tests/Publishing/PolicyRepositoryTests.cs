using System.Text;
using Polyjuice.Policies;
using Polyjuice.Publishing;

namespace Polyjuice.Tests.Publishing;

public sealed class PolicyRepositoryTests
{
    private static readonly DateTimeOffset _when = new(2026, 3, 4, 5, 6, 7, TimeSpan.Zero);

    private readonly TamperedEntries _entries = new();
    private readonly PolicyRepository _repository;

    public PolicyRepositoryTests() => _repository = new(_entries, new FixedTime(_when.AddMilliseconds(891)));

    [Fact]
    public async Task Nothing_published_is_in_force_at_first()
    {
        var history = await _repository.ReadAsync();

        Assert.Equal((0, 0), (history.Last, history.InForce));
        Assert.Null(history.Break);
    }

    [Fact]
    public async Task What_was_published_last_is_in_force_with_its_text_as_it_was()
    {
        var text = Text("occ") + "\n\n";
        await _repository.PublishAsync(Text("ic3"), "anna");
        var entry = await _repository.PublishAsync(text, "ben", "{ \"made\": \"by hand, “quoted”\" }");

        var history = await _repository.ReadAsync();
        var release = await _repository.GetAsync(history.InForce, history);
        Assert.Equal(2, history.InForce);
        Assert.Equal(entry, release);
        Assert.Equal(
            ("occ", text, "ben", "{ \"made\": \"by hand, “quoted”\" }", _when),
            (release.Name, release.Policy, release.By, release.Provenance, release.At));
    }

    [Fact]
    public async Task What_is_no_policy_is_refused_and_nothing_is_published()
    {
        await Assert.ThrowsAsync<PolicyFormatException>(() => _repository.PublishAsync("{ \"schema\": 99 }", "anna"));

        Assert.Equal(0, (await _repository.ReadAsync()).Last);
    }

    [Fact]
    public async Task Of_two_publishers_at_one_time_the_second_is_told_and_publishes_nothing()
    {
        await _repository.PublishAsync(Text("occ"), "anna");
        _entries.BeforeCreate = () => Other().PublishAsync(Text("ic3"), "ben");

        var conflict = await Assert.ThrowsAsync<PolicyConflictException>(
            () => _repository.PublishAsync(Text("locking"), "anna"));

        Assert.Equal(2, conflict.Last);
        var history = await _repository.ReadAsync();
        Assert.Equal(["occ", "ic3"], history.Entries.Select(entry => entry.Text));
    }

    [Fact]
    public async Task Who_expects_another_last_entry_is_told_and_publishes_nothing()
    {
        await _repository.PublishAsync(Text("occ"), "anna", expected: 0);

        Assert.Equal(
            1,
            (await Assert.ThrowsAsync<PolicyConflictException>(
                () => _repository.PublishAsync(Text("ic3"), "ben", expected: 0))).Last);
        await Assert.ThrowsAsync<PolicyConflictException>(() => _repository.RollBackAsync("slow", "ben", expected: 2));
        Assert.Equal(1, (await _repository.ReadAsync()).Last);
    }

    [Fact]
    public async Task An_entry_that_is_there_although_the_place_said_no_was_published()
    {
        _entries.AnswersNo = true;

        Assert.Equal(1, (await _repository.PublishAsync(Text("occ"), "anna")).Number);
    }

    [Fact]
    public async Task A_release_that_is_taken_back_gives_way_to_the_latest_before_that_was_not()
    {
        await PublishAsync("occ", "ic3", "locking");
        var first = await _repository.RollBackAsync("slow", "anna");
        var second = await _repository.RollBackAsync("slow, too", "anna");
        var third = await _repository.RollBackAsync("all of it", "anna");

        Assert.Equal([(3, 2), (2, 1), (1, 0)], new[] { first, second, third }.Select(entry => (entry.Of, entry.To)));
        Assert.Equal(0, (await _repository.ReadAsync()).InForce);
        await Assert.ThrowsAsync<ArgumentException>(() => _repository.RollBackAsync("nothing left", "anna"));
    }

    [Fact]
    public async Task Going_back_passes_over_what_was_taken_back()
    {
        await PublishAsync("occ", "ic3");
        await _repository.RollBackAsync("slow", "anna");
        await PublishAsync("locking");

        Assert.Equal(
            (4, 1), (await _repository.RollBackAsync("slow", "anna")) is var entry ? (entry.Of, entry.To) : default);
    }

    [Theory]
    [InlineData(2, "was taken back itself")]
    [InlineData(3, "is no release")]
    [InlineData(4, "not an earlier one")]
    [InlineData(9, "not an earlier one")]
    public async Task One_can_not_go_back_to_just_anything(int to, string why)
    {
        await PublishAsync("occ", "ic3");
        await _repository.RollBackAsync("slow", "anna");
        await PublishAsync("locking");

        var refusal = await Assert.ThrowsAsync<ArgumentException>(() => _repository.RollBackAsync("slow", "anna", to));

        Assert.Contains(why, refusal.Message, StringComparison.Ordinal);
        Assert.Equal(4, (await _repository.ReadAsync()).Last);
    }

    [Fact]
    public async Task A_history_is_read_on_from_what_is_known()
    {
        await PublishAsync("occ", "ic3");
        var known = await _repository.ReadAsync();
        await PublishAsync("locking");
        _entries.Reads.Clear();

        Assert.Equal(3, (await _repository.ReadAsync(known)).InForce);
        Assert.Equal([3], _entries.Reads);
    }

    [Fact]
    public async Task A_missing_entry_ends_the_history_and_nothing_is_published_behind_it_until_it_is_back()
    {
        await PublishAsync("occ", "ic3", "locking");
        var entry = _entries.Take(2);

        var history = await _repository.ReadAsync();
        Assert.Equal((1, 2, "is missing"), (history.InForce, history.Break!.Number, history.Break.Problem));
        Assert.Contains(
            "Entry 2",
            (await Assert.ThrowsAsync<PolicyHistoryBrokenException>(
                () => _repository.PublishAsync(Text("occ"), "anna"))).Message,
            StringComparison.Ordinal);

        _entries.Put(2, entry);
        Assert.Equal(3, (await _repository.ReadAsync(history)).InForce);
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("{ \"hello\": 1 }")]
    [InlineData("\uFEFF[1, 2")]
    public async Task What_is_no_entry_is_passed_over_and_the_next_is_published_behind_it(string content)
    {
        await PublishAsync("occ", "ic3");
        _entries.Put(3, Encoding.UTF8.GetBytes(content));

        var history = await _repository.ReadAsync();
        Assert.Equal((2, 3, PolicyEntryState.PassedOver), (history.InForce, history.Last, history.Entries[2].State));
        Assert.Contains("can't be read", history.Entries[2].Problem, StringComparison.Ordinal);

        Assert.Equal(4, (await _repository.PublishAsync(Text("locking"), "anna", expected: 3)).Number);
        Assert.Equal((4, 4), (await _repository.ReadAsync(history)) is var read ? (read.InForce, read.Last) : default);
        Assert.Equal(3, (await _repository.RollBackAsync("slow", "anna")) is { Of: 4, To: 2 } ? 3 : 0);

        // Who clears it away later takes nothing from the history.
        _entries.Take(3);
        history = await _repository.ReadAsync();
        Assert.Equal((2, 5), (history.InForce, history.Last));
        Assert.Equal(
            (PolicyEntryState.PassedOver, "is missing"), (history.Entries[2].State, history.Entries[2].Problem));
    }

    [Fact]
    public async Task What_is_too_long_for_an_entry_is_passed_over()
    {
        await PublishAsync("occ");
        _entries.TooLong = 2;

        await PublishAsync("ic3");

        Assert.Equal(
            (3, 3), (await _repository.ReadAsync()) is var history ? (history.InForce, history.Last) : default);
    }

    [Fact]
    public async Task A_copy_of_an_entry_under_the_next_number_is_passed_over()
    {
        await PublishAsync("occ");
        _entries.Put(2, (await _entries.ReadAsync(1, default))!);

        Assert.Contains(
            "says that it is entry 1", (await _repository.ReadAsync()).Entries[1].Problem, StringComparison.Ordinal);
        Assert.Equal(3, (await _repository.PublishAsync(Text("ic3"), "anna")).Number);
        Assert.Equal(3, (await _repository.ReadAsync()).InForce);
    }

    [Fact]
    public async Task A_file_under_a_number_far_away_is_in_nobodys_way()
    {
        await PublishAsync("occ");
        _entries.Put(99_999_999, "garbage"u8.ToArray());
        _entries.Reads.Clear();

        Assert.Equal(2, (await _repository.PublishAsync(Text("ic3"), "anna")).Number);
        Assert.InRange(_entries.Reads.Count, 1, 30);
        Assert.Equal(
            (2, 2), (await _repository.ReadAsync()) is var history ? (history.InForce, history.Last) : default);
    }

    [Fact]
    public async Task Many_entries_in_a_row_that_are_gone_end_the_history_there()
    {
        for (var i = 0; i < 40; i++) await PublishAsync("occ");
        for (var number = 2; number < 40; number++) _entries.Take(number);

        var history = await _repository.ReadAsync();

        Assert.Equal((1, 2, "is missing"), (history.InForce, history.Break!.Number, history.Break.Problem));
    }

    [Fact]
    public async Task A_damaged_entry_that_the_next_follows_on_ends_the_history()
    {
        await PublishAsync("occ", "ic3", "locking");
        var whole = _entries.Take(2);
        for (var length = 0; length < whole.Length; length += 7)
        {
            _entries.Put(2, whole[..length]);
            Assert.Equal(
                (1, 2),
                (await _repository.ReadAsync()) is var history ? (history.InForce, history.Break?.Number) : default);
        }

        await Assert.ThrowsAsync<PolicyHistoryBrokenException>(() => _repository.PublishAsync(Text("occ"), "anna"));
    }

    [Fact]
    public async Task Every_changed_byte_ends_the_history_there_or_behind()
    {
        await PublishAsync("occ", "ic3");
        var whole = _entries.Take(1);
        for (var at = 0; at < whole.Length; at++)
        {
            var changed = whole.ToArray();
            changed[at] ^= 1;
            _entries.Put(1, changed);
            Assert.NotNull((await _repository.ReadAsync()).Break);
        }
    }

    [Fact]
    public async Task A_history_that_has_become_shorter_is_read_anew()
    {
        await PublishAsync("occ", "ic3", "locking");
        var known = await _repository.ReadAsync();
        _entries.Take(3);

        Assert.Equal(
            (2, 2), (await _repository.ReadAsync(known)) is var history ? (history.InForce, history.Last) : default);
    }

    [Fact]
    public async Task An_entry_that_was_replaced_by_a_right_one_is_noticed_by_the_next()
    {
        await PublishAsync("occ", "ic3");
        var other = new MemoryPolicyEntries();
        await new PolicyRepository(other, TimeProvider.System).PublishAsync(Text("locking"), "mallory");
        _entries.Put(1, (await other.ReadAsync(1, default))!);

        var history = await _repository.ReadAsync();

        Assert.Equal((1, 2), (history.InForce, history.Break!.Number));
        Assert.Contains("does not follow on the entry before it", history.Break.Problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_release_that_was_replaced_after_it_was_verified_is_not_handed_out()
    {
        await PublishAsync("occ");
        var history = await _repository.ReadAsync();
        _entries.Put(1, "{}"u8.ToArray());

        await Assert.ThrowsAsync<InvalidDataException>(() => _repository.GetAsync(1, history));
    }

    [Fact]
    public async Task An_entry_under_another_number_ends_the_history_if_the_next_needs_the_right_one()
    {
        await PublishAsync("occ", "ic3");
        _entries.Put(1, (await _entries.ReadAsync(2, default))!);

        Assert.Contains(
            "says that it is entry 2", (await _repository.ReadAsync()).Break!.Problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_newer_version_is_refused_by_its_name()
    {
        await PublishAsync("occ");
        var text = Encoding.UTF8.GetString(_entries.Take(1))
            .Replace("\"schema\": 1,", "\"schema\": 2,\n  \"new\": true,", StringComparison.Ordinal);
        _entries.Put(1, Encoding.UTF8.GetBytes(text));

        Assert.Contains(
            "by a newer one. Update this one.",
            (await _repository.ReadAsync()).Break!.Problem,
            StringComparison.Ordinal);
        await Assert.ThrowsAsync<PolicyHistoryBrokenException>(() => _repository.PublishAsync(Text("occ"), "anna"));
    }

    private PolicyRepository Other() => new(_entries.Inner, TimeProvider.System);

    private async Task PublishAsync(params string[] names)
    {
        foreach (var name in names) await _repository.PublishAsync(Text(name), "anna");
    }

    private static string Text(string name) => PolicyWriter.Write(BuiltinPolicies.Get(name).Document);
}
