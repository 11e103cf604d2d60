using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Housekeeping;

public sealed class CancellationInboxTests
{
    private readonly CancellationInbox<string> _inbox = new();

    [Fact]
    public void One_whose_caller_cancels_is_found_once()
    {
        using var caller = new CancellationTokenSource();
        _inbox.Watch("a", caller.Token);
        Assert.False(_inbox.TryTake(out _));
        caller.Cancel();
        Assert.True(_inbox.TryTake(out var found));
        Assert.Equal("a", found);
        Assert.False(_inbox.TryTake(out _));
    }

    [Fact]
    public void One_whose_caller_has_cancelled_before_is_found_too()
    {
        _inbox.Watch("a", new CancellationToken(canceled: true));
        Assert.True(_inbox.TryTake(out _));
    }

    [Fact]
    public void One_that_has_ended_is_not_found_and_its_caller_keeps_nothing_of_it()
    {
        using var caller = new CancellationTokenSource();
        _inbox.Watch("early", caller.Token);
        _inbox.Watch("late", caller.Token);
        _inbox.Forget("early");
        caller.Cancel();
        _inbox.Forget("late");
        Assert.False(_inbox.TryTake(out _));
        Assert.Equal(0, _inbox.Count);
    }

    [Fact]
    public void One_that_can_not_be_cancelled_is_not_watched()
    {
        _inbox.Watch("a", CancellationToken.None);
        Assert.Equal(0, _inbox.Count);
        _inbox.Forget("a");
    }

    [Fact]
    public void It_is_watched_once_however_often_that_is_asked_for()
    {
        using var caller = new CancellationTokenSource();
        for (var i = 0; i < 3; i++) _inbox.Watch("a", caller.Token);
        caller.Cancel();
        Assert.True(_inbox.TryTake(out _));
        Assert.False(_inbox.TryTake(out _));
    }
}
