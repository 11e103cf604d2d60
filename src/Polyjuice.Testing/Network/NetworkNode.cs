namespace Polyjuice.Testing;

/// <summary>One process of a test cluster on its network, from its start to its end: a silo or the client. Thread-safe.</summary>
/// <param name="name">Its name. A silo that returns has the same one, and is another node.</param>
internal sealed class NetworkNode(string name)
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _paused;
    private volatile bool _isCut;

    public string Name => name;

    /// <summary>Whether nothing from or to it arrives any more.</summary>
    public bool IsCut => _isCut;

    /// <summary>Whether what is from or to it stands still.</summary>
    public bool IsPaused => Volatile.Read(ref _paused) is not null;

    public void Pause()
    {
        lock (_gate)
        {
            if (!_isCut) _paused ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    public void Resume()
    {
        TaskCompletionSource? paused;
        lock (_gate) (paused, _paused) = (_paused, null);
        paused?.TrySetResult();
    }

    /// <summary>For good. Who waits for it goes on, and finds it cut.</summary>
    public void Cut()
    {
        _isCut = true;
        Resume();
    }

    /// <summary>Completes when it does not stand still.</summary>
    public async ValueTask PassAsync()
    {
        while (Volatile.Read(ref _paused) is { } paused) await paused.Task.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override string ToString() => name;
}
