namespace Polyjuice.Testing;

/// <summary>
/// One process of a test cluster on its network, from its start to its end: a silo or the client. Thread-safe.
/// </summary>
/// <param name="name">Its name. A silo that returns has the same one, and is another node.</param>
internal sealed class NetworkNode(string name)
{
    private readonly Lock _gate = new();
    private readonly Standstill _pause = new();
    private volatile bool _isCut;

    public string Name => name;

    /// <summary>Whether nothing from or to it arrives any more.</summary>
    public bool IsCut => _isCut;

    /// <summary>Whether what is from or to it stands still.</summary>
    public bool IsPaused => _pause.IsOn;

    public void Pause()
    {
        lock (_gate)
        {
            if (!_isCut) _pause.Begin();
        }
    }

    public void Resume() => _pause.End();

    /// <summary>For good. Who waits for it goes on, and finds it cut.</summary>
    public void Cut()
    {
        lock (_gate)
        {
            _isCut = true;
            _pause.End();
        }
    }

    /// <summary>Completes when it does not stand still.</summary>
    public ValueTask PassAsync() => _pause.PassAsync();

    /// <inheritdoc/>
    public override string ToString() => name;
}
