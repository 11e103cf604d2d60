using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Transactions;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>How many transactions a silo opens at a time, with two processors whose crowd the test decides.</summary>
public sealed class OpenTransactionsTests : IDisposable
{
    private const double Crowded = 100;
    private const double Usual = 20;
    private const double Free = 0;

    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch);
    private readonly PolyjuiceOptions _options = new();
    private readonly Lazy<OpenTransactions> _open;
    private double _pending = Usual;

    public OpenTransactionsTests() => _open = new(() => new(Options.Create(_options), processors: 2, () => _pending, _time));

    private OpenTransactions Open => _open.Value;

    public void Dispose() => Open.Dispose();

    [Fact]
    public async Task Those_beyond_the_bound_begin_in_their_order_as_others_end()
    {
        _options.OpenTransactions = 2;
        await Enter();
        await Enter();
        var (third, fourth) = (Enter(), Enter());
        Assert.Equal((2, 2, false), (Open.Open, Open.Held, third.IsCompleted));

        Open.Leave();
        await third;
        Assert.False(fourth.IsCompleted);
        Open.Leave();
        await fourth;
        Assert.Equal((2, 0), (Open.Open, Open.Held));
    }

    [Fact]
    public async Task One_that_others_wait_for_begins_at_once()
    {
        _options.OpenTransactions = 1;
        await Enter();
        var waits = Enter();

        await Open.EnterAsync(mayWait: false, CancellationToken.None);

        Assert.Equal(2, Open.Open);
        Open.Leave();
        Assert.False(waits.IsCompleted);
        Open.Leave();
        await waits;
    }

    [Fact]
    public async Task One_whose_caller_has_gone_leaves_its_place_to_the_next()
    {
        _options.OpenTransactions = 1;
        await Enter();
        using var caller = new CancellationTokenSource();
        var gone = Open.EnterAsync(mayWait: true, caller.Token).AsTask();
        var next = Enter();

        await caller.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        Open.Leave();
        await next;
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

        var refusal = await Assert.ThrowsAsync<OrleansStartTransactionFailedException>(() => waits);
        Assert.IsType<OrleansTransactionOverloadException>(refusal.InnerException);
        Assert.Equal((1, 0), (Open.Open, Open.Held));
    }

    [Fact]
    public async Task One_that_would_wait_for_too_long_is_refused_at_once()
    {
        (_options.OpenTransactions, _options.StartWait) = (1, TimeSpan.FromSeconds(2));
        await Enter();
        var waiting = Enumerable.Range(0, 20).Select(_ => Enter()).ToArray();

        // Four in a second, so that the last of the 16 that are left would wait for 4 s.
        for (var i = 0; i < 4; i++) Open.Leave();
        Move(TimeSpan.FromSeconds(1));

        var refused = Enter();
        Assert.IsType<OrleansTransactionOverloadException>((await Assert.ThrowsAsync<OrleansStartTransactionFailedException>(() => refused)).InnerException);
        Assert.Equal(4, waiting.Count(one => one.IsCompletedSuccessfully));
    }

    [Fact]
    public async Task What_ended_while_nobody_waited_refuses_nobody()
    {
        _options.OpenTransactions = 1;
        await Enter();
        Open.Leave();
        Move(TimeSpan.FromHours(1));
        await Enter();
        var waiting = Enumerable.Range(0, 20).Select(_ => Enter()).ToArray();

        Move(TimeSpan.FromMilliseconds(10));

        Assert.DoesNotContain(waiting.Append(Enter()), one => one.IsCompleted);
    }

    [Fact]
    public async Task The_bound_falls_while_much_waits_for_processors_and_no_further_than_these_need()
    {
        _options.StartWait = TimeSpan.FromMinutes(10);
        var first = Open.Limit;
        for (var i = 0; i < first; i++) await Enter();
        var waits = Enter();
        _pending = Crowded;

        Move(TimeSpan.FromMilliseconds(5));
        var once = Open.Limit;
        Move(TimeSpan.FromMilliseconds(5));

        // More are open than the bound says: that it was lowered can't show yet.
        Assert.True(once < first);
        Assert.Equal(once, Open.Limit);
        for (var i = 0; i < 1_000; i++)
        {
            while (Open.Open > Open.Limit) Open.Leave();
            Move(TimeSpan.FromMilliseconds(5));
        }

        Assert.Equal(8, Open.Limit);
        Assert.False(waits.IsCompleted);
    }

    [Fact]
    public async Task The_bound_rises_while_processors_are_free_and_transactions_wait()
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
    public async Task The_bound_stays_while_processors_have_as_much_to_do_as_they_can()
    {
        var first = Open.Limit;
        for (var i = 0; i < first; i++) await Enter();
        _ = Enter();

        Move(TimeSpan.FromSeconds(1));

        Assert.Equal(first, Open.Limit);
    }

    private Task Enter()
    {
        var entering = Open.EnterAsync(mayWait: true, CancellationToken.None);
        return entering.AsTask();
    }

    private void Move(TimeSpan by) => _time.MoveTo(_time.GetUtcNow() + by);
}
