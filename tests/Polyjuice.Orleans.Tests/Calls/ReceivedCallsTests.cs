using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class ReceivedCallsTests
{
    private readonly SteppedTime _time = new();
    private readonly ReceivedCalls _received;

    public ReceivedCallsTests() => _received = new(_time);

    [Fact]
    public void Processes_number_their_calls_by_themselves()
    {
        Assert.Null(_received.Take(CallNumber.Of(1, 7)));
        Assert.Null(_received.Take(CallNumber.Of(2, 7)));
        Assert.False(_received.Take(CallNumber.Of(1, 7))!.IsCompleted);
        _received.End(CallNumber.Of(1, 7));
        Assert.True(_received.Take(CallNumber.Of(1, 7))!.IsCompleted);
        Assert.False(_received.Take(CallNumber.Of(2, 7))!.IsCompleted);
    }

    [Fact]
    public void Who_does_not_call_any_more_is_forgotten()
    {
        _received.Take(CallNumber.Of(1, 1));
        _received.Take(CallNumber.Of(2, 1));
        _time.Advance(ReceivedCalls.ForgottenAfter - TimeSpan.FromSeconds(1));
        _received.Take(CallNumber.Of(2, 2));
        _time.Advance(TimeSpan.FromSeconds(1));
        _received.Take(CallNumber.Of(3, 1));
        Assert.Equal(2, _received.Callers);
        Assert.NotNull(_received.Take(CallNumber.Of(2, 2)));
    }

    private sealed class SteppedTime : TimeProvider
    {
        private long _ticks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _ticks;

        public void Advance(TimeSpan time) => _ticks += time.Ticks;
    }
}
