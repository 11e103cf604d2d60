using System.ComponentModel.DataAnnotations;
using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Tests.Traces;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Calls;

public sealed class CallReplayTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task One_client_makes_every_call_once_in_the_order_of_arrival()
    {
        var target = FakeTarget.Committing();
        var heard = new List<int>();

        var result = await new CallReplay(CallTraces.At(1, 5, 9), target, new CallReplayOptions { Clients = 1 })
        {
            Ended = call => heard.Add(call.Transaction)
        }.RunAsync();

        Assert.Equal([0, 1, 2], target.Made.Select(argument => (int)argument));
        Assert.Equal([0, 1, 2], heard);
        Assert.Equal(
            (3, 3, 3, 0, 0), (result.Recorded, result.Made, result.Committed, result.NotReached, result.Repeats));
        Assert.Equal(3, result.Latencies.Count);
        Assert.Equal(CallTraces.Methods[0], Assert.Single(result.Methods).Method);
    }

    [Fact]
    public async Task So_many_clients_have_as_many_calls_under_way()
    {
        var all = new TaskCompletionSource();
        FakeTarget? target = null;
        target = new FakeTarget(async (_, _) =>
        {
            if (target!.Made.Count >= 4) all.TrySetResult();
            await all.Task.WaitAsync(s_patience);
            return new CallEnd(CallOutcome.Committed);
        });

        var result = await new CallReplay(
            CallTraces.At([.. Enumerable.Range(0, 20).Select(i => (long)i)]),
            target,
            new CallReplayOptions { Clients = 4 }).RunAsync();

        Assert.Equal(20, result.Committed);
        Assert.Equal(4, target.UnderWayMost);
    }

    [Fact]
    public async Task It_says_once_when_there_are_no_more_calls_for_a_client()
    {
        var (left, ranOut) = (new TaskCompletionSource(), 0);
        var target = new FakeTarget(async (argument, _) =>
        {
            // The last one ends when the other client has found that.
            if (argument == 4) await left.Task.WaitAsync(s_patience);
            return new CallEnd(CallOutcome.Committed);
        });
        var replay = new CallReplay(CallTraces.At(1, 2, 3, 4, 5), target, new CallReplayOptions { Clients = 2 })
        {
            RanOut = () =>
            {
                ranOut++;
                left.TrySetResult();
            },
        };

        Assert.Equal(5, (await replay.RunAsync()).Committed);
        Assert.Equal(1, ranOut);
    }

    [Fact]
    public async Task A_look_at_the_calls_makes_none_and_says_what_a_replay_would()
    {
        var target = FakeTarget.Committing();
        var replay = new CallReplay(CallTraces.Random(seed: 3), target);

        var check = replay.Check();

        Assert.Empty(target.Made);
        var result = await replay.RunAsync();
        Assert.Equal(result.NotMade, check.NotMade);
        Assert.Equal((result.Recorded, result.Recorded - result.Made), (check.Recorded, check.LeftOut));
        Assert.Equal((double)check.LeftOut / 30, check.LeftOutShare);
    }

    [Fact]
    public async Task What_the_system_gives_up_is_made_again_and_what_has_ended_otherwise_is_not()
    {
        var target = new FakeTarget((argument, before) => Task.FromResult(argument switch
        {
            0 => before < 2
                ? new CallEnd(CallOutcome.GivenUp, "Conflict", MayRepeat: true)
                : new CallEnd(CallOutcome.Committed),
            1 => new CallEnd(CallOutcome.Refused, "InsufficientFundsException"),
            2 => new CallEnd(CallOutcome.InDoubt, "InDoubt"),
            3 => new CallEnd(CallOutcome.GivenUp, "ReadOnlyViolation"),
            _ => new CallEnd(CallOutcome.GivenUp, "Timeout", MayRepeat: true),
        }));

        var result = await new CallReplay(
            CallTraces.At(0, 1, 2, 3, 4), target, new CallReplayOptions { Clients = 1, RepeatsMax = 5 }).RunAsync();

        Assert.Equal(
            [3, 1, 1, 1, 6], Enumerable.Range(0, 5).Select(argument => target.Made.Count(made => made == argument)));
        Assert.Equal(7, result.Repeats);
        Assert.Equal(
            (1, 1, 2, 1),
            (result.Committed, result.Count(
                CallOutcome.Refused), result.Count(CallOutcome.GivenUp), result.Count(CallOutcome.InDoubt)));
        Assert.Equal(
            [("InDoubt", 1), ("InsufficientFundsException", 1), ("ReadOnlyViolation", 1), ("Timeout", 1)],
            result.Reasons.Select(reason => (reason.Key, reason.Value)));
    }

    [Fact]
    public async Task What_can_not_be_made_is_named_and_counted()
    {
        var builder = CallTraces.Builder();
        CallTraces.Add(builder, 1, new TraceCall(TracedCallState.Whole, 0, "a", new byte[1]));
        CallTraces.Add(builder, 2, new TraceCall(TracedCallState.Whole, 2, "a", new byte[1]));
        CallTraces.Add(builder, 3, new TraceCall(TracedCallState.Whole, 0, "a", new byte[2]));
        CallTraces.Add(builder, 4, new TraceCall(TracedCallState.TooLarge, 0, "a", default));
        CallTraces.Add(builder, 5, new TraceCall(TracedCallState.NotEncodable, 0, "a", default));
        CallTraces.Add(builder, 6, new TraceCall(TracedCallState.NoCall, 0, "", default));
        CallTraces.Add(builder, 7, default);

        var result = await new CallReplay(
            builder.Build(),
            new FakeTarget((_, _) => Task.FromResult(new CallEnd(CallOutcome.Committed)))
            {
                Unknown = [CallTraces.Methods[2]]
            }).RunAsync();

        Assert.Equal((7, 1, 6, 0), (result.Recorded, result.Made, result.NotMade.Values.Sum(), result.NotReached));
        Assert.Equal(6, result.NotMade.Count);
        Assert.Contains("Bank.ITeller.Pay() of Teller: it is gone", result.NotMade.Keys);
        Assert.Contains(
            "Bank.IAccount.Deposit(System.Int64) of Account: its arguments can't be read", result.NotMade.Keys);
        Assert.Contains(
            result.NotMade.Keys,
            why => why.Contains(nameof(TraceRecorderOptions.ArgumentBytesMax), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Calls_arrive_as_they_were_recorded_so_many_times_as_fast_and_late_ones_are_counted()
    {
        var time = new SteppedTime();
        var target = FakeTarget.Committing();
        var starts = new List<TimeSpan>();
        var replay = new CallReplay(
            CallTraces.At(1_000_000, 3_000_000, 3_000_000, 5_000_000),
            target,
            new CallReplayOptions { Speed = 2, Time = time, LateAfter = TimeSpan.Zero })
        {
            Ended = _ => starts.Add(time.Elapsed)
        };

        // Every wait takes 7 ms longer than was asked for.
        time.Over = TimeSpan.FromMilliseconds(7);
        var result = await replay.RunAsync().WaitAsync(s_patience);

        Assert.Equal([0, 1_007, 1_007, 2_007], starts.Select(start => (int)start.TotalMilliseconds));
        Assert.Equal((3, 7), (result.Late, (int)result.LatestBy.TotalMilliseconds));
        Assert.Equal([0, 7, 7, 7], result.Latencies.Select(latency => (int)latency.TotalMilliseconds));
    }

    [Fact]
    public async Task Time_between_windows_is_passed_over()
    {
        var time = new SteppedTime();
        var starts = new List<TimeSpan>();
        var trace = CallTraces.At(
            [
                new TraceWindow(0, 1_000_000), new TraceWindow(60_000_000, 61_000_000),
                new TraceWindow(120_000_000, 121_000_000)
            ],
            500_000, 60_250_000, 120_500_000);

        await new CallReplay(trace, FakeTarget.Committing(), new CallReplayOptions { Speed = 1, Time = time })
        {
            Ended = _ => starts.Add(time.Elapsed)
        }.RunAsync()
            .WaitAsync(
                s_patience);

        Assert.Equal([0, 750, 2_000], starts.Select(start => (int)start.TotalMilliseconds));
    }

    [Fact]
    public async Task No_more_than_allowed_are_under_way_and_those_held_back_are_late()
    {
        var time = new SteppedTime();
        var two = new TaskCompletionSource();
        FakeTarget? target = null;
        target = new FakeTarget(async (_, _) =>
        {
            // The clock goes on only when as many wait as may.
            if (target!.Made.Count == 2) two.SetResult();
            await two.Task;
            await Task.Delay(TimeSpan.FromSeconds(1), time);
            return new CallEnd(CallOutcome.Committed);
        });

        var result = await new CallReplay(
            CallTraces.At(0, 0, 0, 0), target,
            new CallReplayOptions { Speed = 1, Time = time, UnderWayMax = 2 }).RunAsync()
            .WaitAsync(
                s_patience);

        Assert.Equal(2, target.UnderWayMost);
        Assert.Equal((4, 2), (result.Committed, result.Late));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Cancelled_it_makes_no_more_calls_waits_for_those_under_way_and_says_what_was_not_reached(
        double speed)
    {
        using var cancellation = new CancellationTokenSource();
        var released = new TaskCompletionSource();
        var target = new FakeTarget(async (_, _) =>
        {
            await cancellation.CancelAsync();
            await released.Task;
            return new CallEnd(CallOutcome.GivenUp, "Timeout", MayRepeat: true);
        });

        var running = new CallReplay(
            CallTraces.At(0, 1_000_000, 2_000_000), target,
            new CallReplayOptions { Clients = 1, Speed = speed }).RunAsync(
            cancellationToken: cancellation.Token);
        Assert.False(running.IsCompleted);
        released.SetResult();
        var result = await running.WaitAsync(s_patience);

        Assert.Equal((1, 2), (result.Made, result.NotReached));
        Assert.Single(target.Made);
    }

    [Fact]
    public async Task Progress_is_reported_to_the_end()
    {
        var reported = new List<double>();

        await new CallReplay(
            CallTraces.Random(3, transactions: 50), FakeTarget.Committing()).RunAsync(new Reports(reported));

        Assert.Equal(reported.Order(), reported);
        Assert.Equal(1, reported[^1]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task What_a_target_throws_ends_the_replay(double speed)
    {
        var target = new FakeTarget(
            (argument, _) => argument == 1
                ? throw new InvalidOperationException("a bug")
                : Task.FromResult(new CallEnd(CallOutcome.Committed)));

        var failure = await Assert.ThrowsAsync<InvalidOperationException>(
            () => new CallReplay(
                CallTraces.At(0, 1, 2), target, new CallReplayOptions { Clients = 1, Speed = speed }).RunAsync()
                .WaitAsync(
                    s_patience));

        Assert.Equal("a bug", failure.Message);
    }

    [Fact]
    public void Traces_without_calls_or_of_another_host_and_options_out_of_bounds_are_refused_by_name()
    {
        var target = FakeTarget.Committing();
        Assert.Contains(
            nameof(TraceRecorderOptions.RecordsCalls),
            Assert.Throws<ArgumentException>(() => new CallReplay(CallTraces.At(1).WithoutCalls(), target)).Message,
            StringComparison.Ordinal);
        var foreign =
            Assert.Throws<ArgumentException>(
                () => new CallReplay(
                    CallTraces.At(1),
                    new FakeTarget((_, _) => Task.FromResult(default(CallEnd)))
                    {
                        ArgumentEncoding = "orleans"
                    })).Message;
        Assert.Contains("encoded as test, and the target reads orleans", foreign, StringComparison.Ordinal);
        Assert.Contains(
            nameof(CallReplayOptions.Clients),
            Assert.Throws<ValidationException>(
                () => new CallReplay(CallTraces.At(1), target, new CallReplayOptions { Clients = 0 })).Message,
            StringComparison.Ordinal);
    }

    private sealed class Reports(List<double> reported) : IProgress<double>
    {
        public void Report(double value) => reported.Add(value);
    }
}
