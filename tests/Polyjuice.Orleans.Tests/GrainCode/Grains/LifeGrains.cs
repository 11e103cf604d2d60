namespace Polyjuice.Orleans.Tests.GrainCode;

public interface ILife : IGrainWithStringKey
{
    /// <summary>A number that another activation does not have.</summary>
    Task<int> Incarnation();

    Task Leave();

    Task FailToActivate();

    Task<int> Ticks(int until);

    Task<bool> BlocksUntil(string signal);
}

public sealed class LifeGrain : Grain, ILife
{
    private static int s_last;
    private readonly int _incarnation = Interlocked.Increment(ref s_last);

    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        if (this.GetPrimaryKeyString().StartsWith("bad", StringComparison.Ordinal))
            throw new InvalidOperationException("This grain cannot be activated.");
        Signals.Set($"{this.GetPrimaryKeyString()} activated");
        return Task.CompletedTask;
    }

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        Signals.Set($"{this.GetPrimaryKeyString()} deactivated: {reason.ReasonCode}");
        return Task.CompletedTask;
    }

    public Task<int> Incarnation() => Task.FromResult(_incarnation);

    public Task Leave()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }

    public Task FailToActivate() => Task.CompletedTask;

    public Task<int> Ticks(int until)
    {
        var done = new TaskCompletionSource<int>();
        var ticks = 0;
        IGrainTimer? timer = null;
        timer = this.RegisterGrainTimer(
            () =>
            {
                if (++ticks < until) return Task.CompletedTask;
                timer!.Dispose();
                done.TrySetResult(ticks);
                return Task.CompletedTask;
            },
            new GrainTimerCreationOptions(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1))
            {
                Interleave = true
            });
        return done.Task;
    }

    public async Task<bool> BlocksUntil(string signal)
    {
        Signals.Set(signal + " entered");
        await Signals.WaitAsync(signal);
        return true;
    }
}
