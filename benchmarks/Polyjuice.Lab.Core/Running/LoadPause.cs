namespace Polyjuice.Lab.Running;

/// <summary>Lets a load run for a while.</summary>
internal static class LoadPause
{
    /// <summary>
    /// Comes back when the time is up, the load has ended by itself, or the measurement is cancelled; never throws.
    /// </summary>
    public static async Task ForAsync(TimeSpan time, Task load, CancellationToken cancellationToken)
    {
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAny(Task.Delay(time, enough.Token), load);
        await enough.CancelAsync();
    }
}
