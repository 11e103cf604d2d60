using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallsUnderWayTests
{
    private readonly CallsUnderWay _calls = new();

    [Fact]
    public void Where_there_are_none_nobody_waits() =>
        Assert.True(_calls.WhenEndedAsync(CancellationToken.None).IsCompletedSuccessfully);

    [Fact]
    public async Task Those_of_before_are_waited_for_and_those_that_come_later_are_not()
    {
        var (one, other) = (_calls.Enter(), _calls.Enter());
        var ended = _calls.WhenEndedAsync(CancellationToken.None);
        var later = _calls.Enter();
        one.Dispose();
        Assert.False(ended.IsCompleted);
        other.Dispose();
        await ended.WaitAsync(TimeSpan.FromMinutes(2));

        var again = _calls.WhenEndedAsync(CancellationToken.None);
        Assert.False(again.IsCompleted);
        later.Dispose();
        await again.WaitAsync(TimeSpan.FromMinutes(2));
    }

    [Fact]
    public async Task Who_waits_may_give_up()
    {
        _calls.Enter();
        using var end = new CancellationTokenSource();
        var ended = _calls.WhenEndedAsync(end.Token);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ended);
    }

    [Fact]
    public async Task Nobody_is_missed_however_calls_come_and_go()
    {
        var ends = false;
        var callers = Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            while (!Volatile.Read(ref ends)) _calls.Enter().Dispose();
        })).ToArray();
        for (var i = 0; i < 10_000; i++)
            await _calls.WhenEndedAsync(CancellationToken.None).WaitAsync(TimeSpan.FromMinutes(2));
        Volatile.Write(ref ends, true);
        await Task.WhenAll(callers);
    }
}
