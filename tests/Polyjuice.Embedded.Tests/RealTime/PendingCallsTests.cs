using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class PendingCallsTests
{
    private readonly PendingCalls _pending = new();

    // Its partition may have moved on before the call got there; it was in the list twice then, and the list had no end.
    [Fact]
    public void A_call_that_is_parked_again_is_there_once()
    {
        var (call, other) = (new Call(), new Call());
        _pending.AddParked(call);
        _pending.AddParked(call);
        Assert.Equal([call], All());
        _pending.AddLocal(other);
        _pending.AddParked(call);
        Assert.Equal([call, other], All());
        _pending.Remove(call);
        Assert.Equal([other], All());
        _pending.Remove(other);
        Assert.True(_pending.IsEmpty);
    }

    [Fact]
    public void A_parked_call_that_goes_to_another_silo_is_found_by_its_number()
    {
        var call = new Call();
        _pending.AddParked(call);
        _pending.AddRemote(call);
        Assert.Same(call, _pending.Find(call.Correlation));
        Assert.Equal([call], All());
        _pending.Remove(call);
        Assert.Null(_pending.Find(call.Correlation));
        Assert.True(_pending.IsEmpty);
    }

    // Bounded, because a broken list may have no end.
    private List<PendingCall> All()
    {
        var looked = 0;
        return _pending.Where(_ => ++looked < 100 ? true : throw new InvalidOperationException("The list has no end."));
    }

    private sealed class Call() : PendingCall(null!)
    {
        public override void SetResult()
        {
        }

        public override void SetException(Exception exception)
        {
        }

        public override void SetCanceled(CancellationToken cancellationToken)
        {
        }
    }
}
