namespace Polyjuice.Orleans.Tests.GrainCode;

public interface IClockGrain : IGrainWithStringKey
{
    Task<DateTimeOffset> Now();

    Task<string> Zone();

    Task Wait(TimeSpan time);

    [Transaction(TransactionOption.Create)]
    Task WaitInTransaction(TimeSpan time);

    Task<int> TicksWithin(TimeSpan time, TimeSpan period);
}

public sealed class ClockGrain(TimeProvider time) : Grain, IClockGrain
{
    public Task<DateTimeOffset> Now() => Task.FromResult(time.GetUtcNow());

    public Task<string> Zone() => Task.FromResult(time.LocalTimeZone.Id);

    public Task Wait(TimeSpan duration) => Task.Delay(duration, time);

    public Task WaitInTransaction(TimeSpan duration) => Wait(duration);

    public async Task<int> TicksWithin(TimeSpan duration, TimeSpan period)
    {
        var ticks = 0;
        using var timer = this.RegisterGrainTimer(
            () =>
            {
                ticks++;
                return Task.CompletedTask;
            },
            new GrainTimerCreationOptions(period, period) { Interleave = true });
        await Task.Delay(duration, time);
        return ticks;
    }
}

/// <summary>Does what grain code in simulated time must not.</summary>
public interface IEscapingGrain : IGrainWithStringKey
{
    Task<int> RunOnThePool();

    Task WaitInRealTime();

    Task WaitForNothing();

    Task LeaveTheTurn();

    [Transaction(TransactionOption.Create)]
    Task WaitInRealTimeInsideTransaction();
}

public sealed class EscapingGrain : Grain, IEscapingGrain
{
    public Task<int> RunOnThePool() => Task.Run(static () => 1);

    public Task WaitInRealTime() => Task.Delay(TimeSpan.FromDays(1));

    public Task WaitForNothing() => new TaskCompletionSource().Task;

    public async Task LeaveTheTurn()
    {
        await Task.Yield();
        await GrainFactory.GetGrain<IClockGrain>("x").Now().ConfigureAwait(false);
        await GrainFactory.GetGrain<IClockGrain>("y").Now();
    }

    public Task WaitInRealTimeInsideTransaction() => WaitInRealTime();
}
