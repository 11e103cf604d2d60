using Orleans.Transactions;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Tests.Transactions;

public sealed class TransactionInfosTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void One_says_what_Orleans_would_have_said(bool isReadOnly)
    {
        var id = Guid.NewGuid();
        var info = TransactionInfos.Begin(id, isReadOnly);

        Assert.Equal(
            (id, isReadOnly, true, false, 0),
            (info.TransactionId, info.IsReadOnly, info.TryToCommit, info.UseExclusiveLock, info.PendingCalls));
        Assert.Equal(info.TimeStamp, info.Priority);
        Assert.Empty(info.Participants);
        Assert.True(TransactionInfos.IsPlain(info));
    }

    [Fact]
    public void A_call_has_its_callers_until_it_returns()
    {
        var caller = TransactionInfos.Begin(Guid.NewGuid(), isReadOnly: true);
        caller.UseExclusiveLock = true;
        caller.OriginalException = [1];

        var call = TransactionInfos.Fork(caller);

        Assert.Equal(
            (caller.TransactionId, true, true, caller.TimeStamp, caller.Priority),
            (call.TransactionId, call.IsReadOnly, call.UseExclusiveLock, call.TimeStamp, call.Priority));
        Assert.Null(call.OriginalException);
        Assert.Equal((1, 0), (caller.PendingCalls, call.PendingCalls));
        TransactionInfos.Return(caller);
        Assert.Equal(0, caller.PendingCalls);
    }

    [Fact]
    public void What_is_put_into_one_is_in_no_other()
    {
        var caller = TransactionInfos.Begin(Guid.NewGuid(), isReadOnly: false);
        var other = TransactionInfos.Begin(Guid.NewGuid(), isReadOnly: false);
        var call = TransactionInfos.Fork(caller);
        call.OriginalException = [1, 2];

        TransactionInfos.Complete(caller).Join(call);
        TransactionInfos.Complete(caller);
        other.ReconcilePending();
        caller.ReconcilePending();

        Assert.Equal((0, 0), (caller.PendingCalls, other.PendingCalls));
        Assert.Equal([1, 2], caller.OriginalException);
        Assert.Null(other.OriginalException);
    }

    // Or each transaction has queues of a kilobyte, and nobody notices.
    [Fact]
    public void Orleans_class_is_as_it_was()
    {
        TransactionInfos.Begin(Guid.NewGuid(), isReadOnly: false);
        var before = GC.GetAllocatedBytesForCurrentThread();
        TransactionInfos.Begin(Guid.NewGuid(), isReadOnly: false);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 160);
    }
}
