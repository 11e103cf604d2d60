using Polyjuice.Lab.Workloads.Mixed;

namespace Polyjuice.Lab.Tests.Workloads;

public class OwnCallsTests
{
    private readonly OwnCalls _calls = new();
    private int _runs;

    [Fact]
    public async Task A_call_that_is_delivered_twice_runs_once_and_both_are_answered_alike()
    {
        var gate = new TaskCompletionSource();
        var first = _calls.Once(1, () => RunAsync(gate.Task));
        var second = _calls.Once(1, () => RunAsync(gate.Task));
        gate.SetResult();

        Assert.Same(await first, await second);
        Assert.Same(await first, await _calls.Once(1, () => RunAsync(gate.Task)));
        Assert.Equal(1, _runs);
    }

    [Fact]
    public async Task Only_the_latest_calls_are_remembered()
    {
        for (var number = 0; number <= OwnCalls.CountMax; number++)
            await _calls.Once(number, () => RunAsync(Task.CompletedTask));
        await _calls.Once(1, () => RunAsync(Task.CompletedTask));
        Assert.Equal(OwnCalls.CountMax + 1, _runs);

        await _calls.Once(0, () => RunAsync(Task.CompletedTask));

        Assert.Equal(OwnCalls.CountMax + 2, _runs);
    }

    private async Task<CellSight[]> RunAsync(Task gate)
    {
        _runs++;
        await gate;
        return [new CellSight()];
    }
}
