namespace Polyjuice.Storage;

/// <summary>
/// A device's lock that ends by itself unless it is renewed: after a third of its time it asks for more. It counts as
/// lost as soon as the device says so, or when it has not been renewed for five sixths of its time, whatever the
/// reason: nobody else can have it before. Thread-safe.
/// </summary>
internal sealed class RenewedLock : ILogDeviceLock
{
    private static readonly TimeSpan s_releaseTimeout = TimeSpan.FromSeconds(5);
    private readonly TimeSpan _duration;
    private readonly TimeProvider _time;
    private readonly Func<CancellationToken, Task<bool>> _renew;
    private readonly Func<CancellationToken, Task> _release;
    private readonly CancellationTokenSource _lost = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _renewing;
    private int _isDisposed;

    /// <summary>Keeps a lock that was taken a moment ago.</summary>
    /// <param name="duration">How long it lasts without being renewed.</param>
    /// <param name="asked">The clock's timestamp before the lock was asked for.</param>
    /// <param name="time">The clock.</param>
    /// <param name="renew">Asks for another such time: <see langword="false"/> says that the lock is lost; what it
    /// throws may pass, and it is asked again in time.</param>
    /// <param name="release">Gives the lock back, if it still is this one; called once, at the end, whether it was
    /// lost or not.</param>
    public RenewedLock(
        TimeSpan duration, long asked, TimeProvider time, Func<CancellationToken, Task<bool>> renew,
            Func<CancellationToken, Task> release)
    {
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(renew);
        ArgumentNullException.ThrowIfNull(release);
        _duration = duration;
        _time = time;
        _renew = renew;
        _release = release;
        Lost = _lost.Token;
        _renewing = Task.Run(() => RenewAsync(asked));
    }

    /// <inheritdoc/>
    public CancellationToken Lost { get; }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0) return;
        await _ended.CancelAsync().ConfigureAwait(false);
        await _renewing.ConfigureAwait(false);
        try
        {
            using var timeout = new CancellationTokenSource(s_releaseTimeout);
            await _release(timeout.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Whatever is in the way: it ends by itself, soon.
        }
    }

    private async Task RenewAsync(long renewed)
    {
        var interval = _duration / 3;
        try
        {
            while (true)
            {
                await Task.Delay(interval, _time, _ended.Token).ConfigureAwait(false);
                var left = (_duration * 5 / 6) - _time.GetElapsedTime(renewed);
                if (left <= TimeSpan.Zero) break;
                using var deadline = new CancellationTokenSource(left, _time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, _ended.Token);
                var asked = _time.GetTimestamp();
                try
                {
                    if (!await _renew(either.Token).ConfigureAwait(false)) break;
                    renewed = asked;
                    interval = _duration / 3;
                }
                catch (Exception) when (!_ended.IsCancellationRequested)
                {
                    // It may come back in time.
                    interval = _duration / 30;
                }
            }

            await _lost.CancelAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Disposed.
        }
    }
}
