using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Agents;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Tests.Shared;
using Polyjuice.Waits;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>How many transactions a silo opens at a time, with two processors whose crowd the test decides.</summary>
public sealed class OpenTransactionsTests : IDisposable
{
    private const double Usual = 20;
    private const double Free = 0;

    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch.AddYears(50));
    private readonly PolyjuiceOptions _options = new();
    private readonly Lazy<OpenTransactions> _open;
    private double _pending = Usual;

    public OpenTransactionsTests() =>
        _open = new(() => new(Options.Create(_options), processors: 2, () => _pending, _time));

    private OpenTransactions Open => _open.Value;

    public void Dispose() => Open.Dispose();

    [Fact]
    public async Task Those_beyond_the_bound_begin_in_their_order_as_others_end()
    {
        _options.OpenTransactions = 2;
        Assert.Equal(TimeSpan.Zero, await Enter());
        await Enter();
        var (third, fourth) = (Enter(), Enter());
        Assert.Equal((2, 2, false), (Open.Open, Open.Held, third.IsCompleted));

        Move(TimeSpan.FromMilliseconds(100));
        Open.Leave(mayWait: true);
        Assert.Equal(TimeSpan.FromMilliseconds(100), await third);
        Assert.False(fourth.IsCompleted);
        Move(TimeSpan.FromMilliseconds(50));
        Open.Leave(mayWait: true);
        Assert.Equal(TimeSpan.FromMilliseconds(150), await fourth);
        Assert.Equal((2, 0), (Open.Open, Open.Held));
    }

    [Fact]
    public async Task One_that_others_wait_for_begins_at_once()
    {
        _options.OpenTransactions = 1;
        await Enter();
        var waits = Enter();

        Assert.NotNull(await Open.EnterAsync(mayWait: false, since: 0, CancellationToken.None));

        Assert.Equal(2, Open.Open);
        Open.Leave(mayWait: false);
        Assert.False(waits.IsCompleted);
        Open.Leave(mayWait: true);
        await waits;
    }

    [Fact]
    public async Task One_whose_caller_has_gone_leaves_its_place_to_the_next()
    {
        _options.OpenTransactions = 1;
        await Enter();
        using var caller = new CancellationTokenSource();
        var gone = Open.EnterAsync(mayWait: true, since: 0, caller.Token).AsTask();
        var next = Enter();

        await caller.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        Open.Leave(mayWait: true);
        await next;
        Assert.Equal((1, 0), (Open.Open, Open.Held));
    }

    [Fact]
    public async Task One_whose_caller_has_gone_before_it_came_keeps_no_place()
    {
        _options.OpenTransactions = 1;
        await Enter();

        var gone = Open.EnterAsync(mayWait: true, since: 0, new CancellationToken(canceled: true)).AsTask();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        Assert.Equal((1, 0), (Open.Open, Open.Held));
    }

    [Fact]
    public async Task A_caller_that_goes_when_its_turn_has_come_changes_nothing()
    {
        _options.OpenTransactions = 1;
        await Enter();
        using var caller = new CancellationTokenSource();
        var turn = Open.EnterAsync(mayWait: true, since: 0, caller.Token);
        Open.Leave(mayWait: true);

        await caller.CancelAsync();

        Assert.NotNull(await turn);
        Assert.Equal((1, 0), (Open.Open, Open.Held));
    }

    [Fact]
    public async Task One_that_has_waited_for_too_long_is_refused_and_nothing_of_it_has_run()
    {
        (_options.OpenTransactions, _options.StartWait) = (1, TimeSpan.FromSeconds(2));
        await Enter();
        var waits = Enter();
        Move(TimeSpan.FromSeconds(1));
        Assert.False(waits.IsCompleted);

        Move(TimeSpan.FromSeconds(1));

        Assert.Null(await waits);
        Assert.Equal((1, 0), (Open.Open, Open.Held));
    }

    [Fact]
    public async Task One_that_would_wait_for_too_long_is_refused_at_once()
    {
        (_options.OpenTransactions, _options.StartWait) = (1, TimeSpan.FromSeconds(2));
        await Enter();
        var waiting = Enumerable.Range(0, 20).Select(_ => Enter()).ToArray();

        // Four in a second, so that the last of the 16 that are left would wait for 4 s.
        for (var i = 0; i < 4; i++) Open.Leave(mayWait: true);
        Move(TimeSpan.FromSeconds(1));

        var refused = Enter();
        Assert.True(refused.IsCompleted);
        Assert.Null(await refused);
        Assert.Equal(4, waiting.Count(one => one.IsCompletedSuccessfully));
    }

    // A refusal costs the silo time, and who is refused comes again.
    [Fact]
    public async Task Those_beyond_what_may_be_refused_at_once_wait_as_if_they_could_get_their_turn()
    {
        (_options.OpenTransactions, _options.StartWait) = (1, TimeSpan.FromSeconds(2));
        await Enter();
        _ = Enumerable.Range(0, 20).Select(_ => Enter()).ToArray();
        for (var i = 0; i < 4; i++) Open.Leave(mayWait: true);
        Move(TimeSpan.FromSeconds(1));

        var others = Enumerable.Range(0, 150).Select(_ => Enter()).ToArray();
        Assert.Equal(RefusalBudget.PerProcessor * 2 / 4, others.Count(one => one.IsCompleted));
        Assert.Equal(16 + 50, Open.Held);

        Move(TimeSpan.FromSeconds(2));
        Assert.All(others, one => Assert.True(one.IsCompleted));
        Assert.Null(await others[^1]);
    }

    [Fact]
    public async Task What_ended_while_nobody_waited_refuses_nobody()
    {
        _options.OpenTransactions = 1;
        await Enter();
        Open.Leave(mayWait: true);
        Move(TimeSpan.FromHours(1));
        await Enter();
        var waiting = Enumerable.Range(0, 20).Select(_ => Enter()).ToArray();

        Move(TimeSpan.FromMilliseconds(10));

        Assert.DoesNotContain(waiting.Append(Enter()), one => one.IsCompleted);
    }

    [Fact]
    public async Task The_bound_is_found_out_while_transactions_wait_and_those_begin_as_it_rises()
    {
        var first = Open.Limit;
        for (var i = 0; i < first; i++) await Enter();
        _pending = Free;
        Move(TimeSpan.FromSeconds(1));
        Assert.Equal(first, Open.Limit);

        var waits = Enumerable.Range(0, 4 * first).Select(_ => Enter()).ToArray();
        while (waits.Any(one => !one.IsCompleted))
        {
            var before = Open.Limit;
            Move(TimeSpan.FromMilliseconds(5));
            Assert.True(Open.Limit > before || Open.Held == 0);
        }

        Assert.Equal(5 * first, Open.Open);
    }

    [Fact]
    public async Task The_bound_goes_by_what_the_engine_has_under_way()
    {
        var first = Open.Limit;
        for (var i = 0; i < first; i++) await Enter();
        var waits = Enter();
        _pending = Free;
        Open.Load = static () => new EngineLoad(Held: 0, Waits: 300, Known: 400);

        Move(TimeSpan.FromMilliseconds(5));

        Assert.True(Open.Limit < first);
        Assert.False(waits.IsCompleted);
    }

    [Fact]
    public async Task The_oldest_begins_first_whenever_it_has_come()
    {
        _options.OpenTransactions = 1;
        await Enter();
        var came = Enter();
        var young = Enter(since: Ago(TimeSpan.FromMilliseconds(10)));
        var old = Enter(since: Ago(TimeSpan.FromMilliseconds(500)));
        var middle = Enter(since: Ago(TimeSpan.FromMilliseconds(100)));
        ValueTask<TimeSpan?>[] order = [old, middle, young, came];
        for (var i = 0; i < order.Length; i++)
        {
            Open.Leave(mayWait: true);
            Assert.NotNull(await order[i]);
            Assert.DoesNotContain(order[(i + 1)..], static one => one.IsCompleted);
        }
    }

    [Fact]
    public async Task One_that_comes_late_is_not_refused_if_it_is_old_because_its_place_is_not_the_last()
    {
        (_options.OpenTransactions, _options.StartWait) = (1, TimeSpan.FromSeconds(2));
        await Enter();
        for (var i = 0; i < 20; i++) _ = Enter();
        for (var i = 0; i < 4; i++) Open.Leave(mayWait: true);
        Move(TimeSpan.FromSeconds(1));

        var old = Enter(since: Ago(TimeSpan.FromSeconds(5)));
        Assert.False(old.IsCompleted);
        Open.Leave(mayWait: true);

        Assert.NotNull(await old);
    }

    [Fact]
    public async Task None_is_overtaken_for_ever_by_those_that_say_that_they_are_older()
    {
        (_options.OpenTransactions, _options.StartWait) = (1, TimeSpan.FromMinutes(10));
        await Enter();
        var waits = Enter();
        var overtakenFor = TimeSpan.Zero;
        while (!waits.IsCompleted)
        {
            // One comes for each that ends, and each says that it has been wanted since 1970.
            _ = Enter(since: 1);
            Open.Leave(mayWait: true);
            Move(TimeSpan.FromSeconds(1));
            overtakenFor += TimeSpan.FromSeconds(1);
            Assert.True(overtakenFor <= OpenTransactions.AgeMax + TimeSpan.FromSeconds(2));
        }

        Assert.NotNull(await waits);
    }

    [Fact]
    public async Task Those_that_are_never_told_to_wait_leave_a_share_of_the_bound_to_those_that_are()
    {
        _options.OpenTransactions = 8;
        for (var i = 0; i < 100; i++)
            Assert.NotNull(await Open.EnterAsync(mayWait: false, since: 0, CancellationToken.None));

        var asked = Enumerable.Range(0, 3).Select(_ => Enter()).ToArray();

        Assert.Equal([true, true, false], asked.Select(static one => one.IsCompleted));
        Open.Leave(mayWait: true);
        Assert.NotNull(await asked[2]);
    }

    [Fact]
    public async Task There_are_some_until_the_last_has_left_and_those_that_wait_count()
    {
        _options.OpenTransactions = 1;
        Assert.False(Open.Any);
        await Enter();
        using var caller = new CancellationTokenSource();
        _ = Open.EnterAsync(mayWait: true, since: 0, caller.Token).AsTask();
        Open.Leave(mayWait: true);
        Assert.True(Open.Any);
        Open.Leave(mayWait: true);
        Assert.False(Open.Any);
    }

    private long Ago(TimeSpan time) =>
        (_time.GetUtcNow() - time - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    // Each is awaited once at the most.
    private ValueTask<TimeSpan?> Enter(long since = 0) =>
        Open.EnterAsync(mayWait: true, since, CancellationToken.None);

    private void Move(TimeSpan by) => _time.MoveTo(_time.GetUtcNow() + by);
}
