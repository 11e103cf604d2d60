using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents.Admission;

public sealed class AdmissionQueueTests : IDisposable
{
    private readonly ManualHost _host = new() { UtcMicroseconds = 1_000 };
    private readonly EngineOptions _options = new()
    {
        AttemptsMax = 2, AdmissionStallMicroseconds = 500, TickMicroseconds = 100,
    };

    private readonly EngineStatistics _statistics = new();
    private readonly CancellationTokenSource _cancellation = new();
    private readonly AdmissionQueue _queue;

    public AdmissionQueueTests() => _queue = new AdmissionQueue(_options, _statistics, _host);

    public void Dispose() => _cancellation.Dispose();

    [Fact]
    public void So_many_start_and_the_others_wait()
    {
        Assert.True(_queue.TryEnter(0, mayWait: true));
        Assert.True(_queue.TryEnter(1, mayWait: true));
        Assert.False(_queue.TryEnter(0, mayWait: true));
        Assert.True(_queue.TryEnter(0, mayWait: false));
    }

    [Fact]
    public void The_oldest_transaction_goes_first()
    {
        Fill();
        var young = Wait(since: 30);
        var old = Wait(since: 10);
        var middle = Wait(since: 20);
        Assert.Equal(3, _queue.Waiting);
        Assert.Equal(3, _statistics.Held);
        _queue.Leave(0);
        Assert.Equal((true, false, false), (old.IsOver, middle.IsOver, young.IsOver));
        _queue.Leave(0);
        _queue.Leave(0);
        Assert.Equal((true, true, true), (old.IsOver, middle.IsOver, young.IsOver));
        Assert.All([old, middle, young], attempt => Assert.Equal(AbortReason.None, attempt.Refusal));
        Assert.Equal(0, _queue.Waiting);
    }

    [Fact]
    public void Who_leaves_makes_room_for_one_and_who_was_let_in_takes_it()
    {
        Fill();
        Wait(since: 1);
        _queue.Leave(0);
        Assert.False(_queue.TryEnter(0, mayWait: true));
        _queue.Leave(0);
        Assert.True(_queue.TryEnter(0, mayWait: true));
    }

    [Fact]
    public void Nobody_waits_beyond_its_deadline_or_its_cancellation()
    {
        Fill();
        var late = Wait(since: 1, deadline: 1_300);
        var cancelled = Wait(since: 2);
        var patient = Wait(since: 3);
        _cancellation.Cancel();
        Tick(1_200);
        Assert.Equal((AbortReason.None, AbortReason.Cancelled), (late.Refusal, cancelled.Refusal));
        Tick(1_300);
        Assert.Equal(AbortReason.Timeout, late.Refusal);
        Assert.Equal(1, _queue.Waiting);
        _queue.Leave(0);
        Assert.Equal((true, AbortReason.None), (patient.IsOver, patient.Refusal));
        Assert.Equal(0, _queue.Waiting);
    }

    [Fact]
    public void When_nothing_ends_for_long_one_more_starts()
    {
        Fill();
        var first = Wait(since: 1);
        var second = Wait(since: 2);
        Tick(1_499);
        Assert.False(first.IsOver);
        Tick(1_500);
        Assert.Equal((true, false), (first.IsOver, second.IsOver));
        Tick(1_999);
        Assert.False(second.IsOver);
        Tick(2_000);
        Assert.True(second.IsOver);
    }

    [Fact]
    public void The_longer_nothing_ends_the_more_start_and_each_that_ends_then_gives_its_place_back()
    {
        Fill();
        var waiting = Enumerable.Range(0, 40).Select(i => Wait(since: i)).ToArray();
        for (var i = 1; i <= 5; i++) Tick(1_000 + (500 * i));
        const int started = 1 + 2 + 4 + 8 + 16;
        Assert.Equal(started, waiting.Count(static one => one.IsOver));

        // Two run beside those again when these have ended, and the limit is what it was.
        for (var i = 0; i < started; i++) _queue.Leave(0);
        Assert.Equal(started, waiting.Count(static one => one.IsOver));
        _queue.Leave(0);
        Assert.Equal(started + 1, waiting.Count(static one => one.IsOver));
        Assert.Equal(2, _queue.Limit);
    }

    [Fact]
    public void That_nothing_ends_for_long_does_not_raise_the_limit_that_was_found_out()
    {
        var queue = new AdmissionQueue(
            new EngineOptions { ConflictShareTarget = 0.1, AdmissionStallMicroseconds = 500, TickMicroseconds = 100 },
            _statistics, _host);
        for (var i = 0; i < 64; i++) queue.TryEnter(0, mayWait: true);
        for (var i = 0; i < 20_000 && queue.Limit == ConflictLimit.Open; i++)
        {
            _host.UtcMicroseconds += 100;
            queue.Leave(0);
            queue.Ended(0, AbortReason.Validation);
            queue.TryEnter(0, mayWait: false);
        }

        var limit = queue.Limit;
        Assert.NotEqual(ConflictLimit.Open, limit);
        var waiting = Enumerable.Range(0, 100).Select(_ => new WaitingAttempt(0, long.MaxValue, CancellationToken.None))
            .ToArray();
        foreach (var one in waiting) queue.Wait(one, since: 1);
        for (var i = 0; i < 4; i++) queue.Tick(_host.UtcMicroseconds += 500);

        Assert.Equal(1 + 2 + 4 + 8, waiting.Count(static one => one.IsOver));
        Assert.Equal(limit, queue.Limit);
    }

    // To take a type for harmless because a limit keeps its conflicts rare would let in all that wait at once.
    [Fact]
    public void While_any_wait_a_type_without_conflicts_is_held_by_a_limit_that_rises_step_by_step()
    {
        var queue = new AdmissionQueue(new EngineOptions { ConflictShareTarget = 0.1 }, _statistics, _host);
        for (var i = 0; i < 64; i++) queue.TryEnter(0, mayWait: true);
        for (var i = 0; i < 20_000 && queue.Limit == ConflictLimit.Open; i++) EndOne(AbortReason.Validation);
        var limits = new List<int> { queue.Limit };
        var waiting = Enumerable.Range(0, 5_000).Select(_ => new WaitingAttempt(0, long.MaxValue, default)).ToArray();
        foreach (var one in waiting) queue.Wait(one, since: 1);

        while (queue.Waiting > 0)
        {
            EndOne(AbortReason.None);
            if (queue.Limit != limits[^1]) limits.Add(queue.Limit);
        }

        Assert.True(limits.Count > 3, string.Join(" ", limits));
        Assert.DoesNotContain(ConflictLimit.Open, limits.SkipLast(1));
        for (var i = 1; i < limits.Count - 1; i++)
            Assert.InRange(limits[i], limits[i - 1], (limits[i - 1] * 3 / 2) + 1);

        // When none waits any more, nothing holds the type.
        for (var i = 0; i < 4_000; i++) EndOne(AbortReason.None);
        Assert.Equal(ConflictLimit.Open, queue.Limit);

        void EndOne(AbortReason reason)
        {
            _host.UtcMicroseconds += 100;
            queue.Leave(0);
            queue.Ended(0, reason);
            if (queue.Waiting == 0) queue.TryEnter(0, mayWait: false);
        }
    }

    [Fact]
    public void All_that_wait_are_told_when_it_stops()
    {
        Fill();
        var attempts = new[] { Wait(since: 1), Wait(since: 2) };
        _queue.Stop();
        Assert.All(attempts, attempt => Assert.Equal(AbortReason.Shutdown, attempt.Refusal));
        Assert.Equal(0, _queue.Waiting);
    }

    [Fact]
    public void Types_without_conflicts_are_not_concerned()
    {
        var queue = new AdmissionQueue(new EngineOptions { ConflictShareTarget = 0.1 }, _statistics, _host);
        for (var i = 0; i < 64; i++) Assert.True(queue.TryEnter(0, mayWait: true));
        for (var i = 0; i < 20_000 && queue.Limit == ConflictLimit.Open; i++) EndOne();
        Assert.NotEqual(ConflictLimit.Open, queue.Limit);
        while (queue.TryEnter(0, mayWait: true))
        {
        }

        Assert.True(queue.TryEnter(1, mayWait: true));

        void EndOne()
        {
            _host.UtcMicroseconds += 100;
            queue.Leave(0);
            queue.Ended(0, AbortReason.Validation);
            queue.TryEnter(0, mayWait: true);
        }
    }

    [Fact]
    public void Nobody_of_a_type_that_reserves_waits_and_the_limit_is_as_it_was_when_it_does_not_any_more()
    {
        var queue = new AdmissionQueue(new EngineOptions { ConflictShareTarget = 0.1 }, _statistics, _host);
        for (var i = 0; i < 64; i++) Assert.True(queue.TryEnter(0, mayWait: true));
        for (var i = 0; i < 20_000 && queue.Limit == ConflictLimit.Open; i++) EndOne(AbortReason.Validation);
        while (queue.TryEnter(0, mayWait: true))
        {
        }

        var limit = queue.Limit;
        Assert.NotEqual(ConflictLimit.Open, limit);
        var waiting = new WaitingAttempt(0, long.MaxValue, default);
        queue.Wait(waiting, since: 1);
        queue.Exempt(0, isExempt: true);
        Assert.Equal((true, AbortReason.None), (waiting.IsOver, waiting.Refusal));
        for (var i = 0; i < 2_000; i++) EndOne(AbortReason.None);
        Assert.True(queue.TryEnter(0, mayWait: true));
        Assert.Equal(limit, queue.Limit);
        queue.Exempt(0, isExempt: false);
        Assert.Equal(limit, queue.Limit);
        Assert.False(queue.TryEnter(0, mayWait: true));

        void EndOne(AbortReason reason)
        {
            _host.UtcMicroseconds += 100;
            queue.Leave(0);
            queue.Ended(0, reason);
            queue.TryEnter(0, mayWait: true);
        }
    }

    [Fact]
    public void A_fixed_bound_holds_for_those_that_reserve_too()
    {
        Fill();
        _queue.Exempt(0, isExempt: true);
        Assert.False(_queue.TryEnter(0, mayWait: true));
    }

    [Fact]
    public void A_target_of_one_switches_it_off()
    {
        var queue = new AdmissionQueue(new EngineOptions { ConflictShareTarget = 1 }, _statistics, _host);
        for (var i = 0; i < 2_000; i++)
        {
            Assert.True(queue.TryEnter(0, mayWait: true));
            queue.Ended(0, AbortReason.Deadlock);
        }

        Assert.Equal(ConflictLimit.Open, queue.Limit);
    }

    private void Fill()
    {
        while (_queue.TryEnter(0, mayWait: true))
        {
        }
    }

    private WaitingAttempt Wait(long since, long deadline = long.MaxValue)
    {
        var attempt = new WaitingAttempt(0, deadline, since == 2 ? _cancellation.Token : default);
        _queue.Wait(attempt, since);
        return attempt;
    }

    private void Tick(long now)
    {
        _host.UtcMicroseconds = now;
        _queue.Tick(now);
    }
}
