namespace Polyjuice.Testing;

/// <summary>Where work stands still, from <see cref="Begin"/> to <see cref="End"/>. Thread-safe.</summary>
internal sealed class Standstill
{
    private TaskCompletionSource? _ends;

    /// <summary>Whether work stands still now.</summary>
    public bool IsOn => Volatile.Read(ref _ends) is not null;

    /// <summary>Work stands still from now on. Does nothing if it does already.</summary>
    public void Begin() =>
        Interlocked.CompareExchange(ref _ends, new(TaskCreationOptions.RunContinuationsAsynchronously), null);

    /// <summary>What stood still goes on.</summary>
    public void End() => Interlocked.Exchange(ref _ends, null)?.TrySetResult();

    /// <summary>Completes when work does not stand still.</summary>
    public async ValueTask PassAsync(CancellationToken cancellationToken = default)
    {
        while (Volatile.Read(ref _ends) is { } ends) await ends.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }
}
