using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Reservations;

namespace Polyjuice.Tests.Agents.Learning;

/// <summary>What transactions access, learned from the keys in their calls.</summary>
public class LearnedAccessesTests
{
    private const int Trust = 32;
    private readonly LearnedAccesses _learned = new(Trust);
    private int _runs;

    [Fact]
    public void The_grain_itself_and_those_that_an_argument_names_are_found_out()
    {
        for (var i = 0; !_learned.IsTrusted; i++) Transfer(from: i, to: [100 + i, 200 + i]);
        Assert.InRange(_runs, Trust, Trust + (Trust / 4));
        Assert.Equal(
            [
                new(Key("account/7"), false, true, 1),
                new(Key("account/1"), false, true, 1),
                new(Key("account/2"), false, true, 1),
                new(Key("account/3"), false, true, 1)
            ],
            Said(Call("account/7", new[] { 1L, 2, 3 }, 55L)));
    }

    [Fact]
    public void What_follows_from_no_argument_is_never_trusted_and_soon_looked_at_rarely()
    {
        for (var i = 0; i < 1_000; i++)
        {
            if (!_learned.TakesInterest()) continue;
            _runs++;
            _learned.Learn(
                Call($"account/{i}", 5L), [Entry($"account/{i}"), Entry($"account/{(i * 7919) + 1_000_003}")]);
        }

        Assert.False(_learned.IsTrusted);
        Assert.InRange(_runs, LearnedAccesses.Hopeless, LearnedAccesses.Hopeless + 20);
    }

    [Fact]
    public void What_comes_to_follow_from_arguments_is_found_out_later()
    {
        for (var i = 0; i < 200; i++)
            _learned.Learn(Call($"account/{i}", 5L), [Entry($"account/{(i * 7919) + 1_000_003}")]);
        for (var i = 0; i < 20 * LearnedAccesses.CheckEvery && !_learned.IsTrusted; i++)
        {
            if (_learned.TakesInterest()) Transfer(i, [100 + i]);
        }

        Assert.True(_learned.IsTrusted);
    }

    [Fact]
    public void A_number_that_happens_to_be_a_key_is_unmasked()
    {
        for (var i = 0; !_learned.IsTrusted; i++)
        {
            _runs++;
            _learned.Learn(
                Call($"account/{i}", new[] { 100L + i }, _runs == 1 ? 100L : 5L),
                [Entry($"account/{i}"), Entry($"account/{100 + i}")]);
        }

        Assert.Equal(
            ["account/1", "account/2"], Said(Call("account/1", new[] { 2L }, 3L)).Select(access => access.Key.Grain));
    }

    [Fact]
    public void References_say_their_names_and_each_type_has_a_rule_of_its_own()
    {
        for (var i = 0; i < 200; i++)
        {
            var kind = i % 2 == 0 ? "account" : "savings";
            _learned.Learn(
                Call("bank/a", new Name($"{kind}/{i}")),
                [Entry("bank/a", "log"), Entry($"{kind}/{i}", kind == "account" ? "balance" : "deposit")]);
        }

        Assert.Equal(
            [Key("bank/a", "log"), Key("savings/x", "deposit")],
            Said(Call("bank/a", new Name("savings/x"))).Select(access => access.Key));
    }

    [Theory]
    [InlineData(20, true)]
    [InlineData(10, false)]
    public void What_strays_once_in_a_while_is_borne_and_more_often_not(int every, bool isTrusted)
    {
        for (var i = 0; !_learned.IsTrusted; i++) Transfer(i, [100 + i]);
        for (var i = 1; i <= 1_000; i++) _learned.Count(isRight: i % every != 0);
        Assert.Equal(isTrusted, _learned.IsTrusted);
    }

    [Fact]
    public void What_is_said_and_not_accessed_is_soon_said_no_more()
    {
        for (var i = 0; i < 200; i++) Transfer(i, [100 + i]);
        for (var i = 0; i < 10; i++)
            _learned.Learn(Call($"account/{i}", new[] { 100L + i }, 55L), [Entry($"account/{i}")]);
        Assert.Equal(["account/1"], Said(Call("account/1", new[] { 2L }, 55L)).Select(access => access.Key.Grain));
    }

    [Fact]
    public void One_that_is_updated_at_times_is_said_to_be_and_accesses_are_counted_where_they_are_always_as_many()
    {
        for (var i = 0; i < 100; i++)
            _learned.Learn(
                Call($"account/{i}", 100L + i, 200L + i),
                [
                    new(Key($"account/{i}"), 0, default, Updates: i % 10 == 0, Count: 3),
                    new(Key($"account/{100 + i}"), 0, default, false, 2),
                    new(Key($"account/{200 + i}"), 0, default, false, 1 + (i % 2))
                ]);
        Assert.Equal(
            [
                new(Key("account/1"), false, true, 3),
                new(Key("account/2"), false, false, 2),
                new(Key("account/3"), false, false, 0)
            ],
            Said(Call("account/1", 2L, 3L)));
    }

    [Fact]
    public void Of_what_is_named_twice_nobody_knows_how_often_it_is_accessed()
    {
        for (var i = 0; i < 100; i++) Transfer(i, [100 + i, 300 + i]);
        Assert.Equal(
            [new(Key("account/1"), false, true, 0), new(Key("account/2"), false, true, 1)],
            Said(Call("account/1", new[] { 1L, 2 }, 55L)));
    }

    [Fact]
    public void A_dry_run_now_and_then_looks_whether_all_is_as_it_was() =>
        Assert.Equal(10, Enumerable.Range(0, 10 * LearnedAccesses.CheckEvery).Count(_ => _learned.IsToCheck()));

    [Fact]
    public void A_call_that_names_too_much_is_not_learned_from()
    {
        for (var i = 0; i < 100; i++)
            Transfer(i, [.. Enumerable.Range(1_000, CallKeys.CountMax + 1).Select(key => (long)key)]);
        Assert.False(_learned.IsTrusted);
    }

    private void Transfer(int from, long[] to)
    {
        _runs++;
        _learned.Learn(
            Call($"account/{from}", to, 55L),
            [Entry($"account/{from}"), .. to.Select(key => Entry($"account/{key}"))]);
    }

    private static AccessSetEntry Entry(string grain, string state = "balance") =>
        new(Key(grain, state), 0, default, Updates: true, Count: 1);

    private static ParticipantKey Key(string grain, string state = "balance") => new(grain, state, "Class");

    private List<KnownAccess> Said(CallKeys keys)
    {
        // What it held before is no part of it.
        List<KnownAccess> accesses = [new(Key("account/other"), false, true, 1)];
        _learned.Say(keys, accesses);
        return accesses;
    }

    private static CallKeys Call(string grain, params object?[] arguments)
    {
        var keys = new CallKeys(grain);
        for (var i = 0; i < arguments.Length; i++) keys.Add(i, arguments[i], Names.Instance);
        return keys;
    }

    private sealed record Name(string Text);

    private sealed class Names : IGrainNames
    {
        public static readonly Names Instance = new();

        public string KeyOf(long key) => $"{key}";

        public string KeyOf(Guid key) => $"{key:N}";

        public string? NameOf(object reference) => (reference as Name)?.Text;
    }
}
