namespace Polyjuice.Testing;

/// <summary>One direction between two nodes. Thread-safe.</summary>
internal sealed class NetworkLine(NetworkNode from, NetworkNode to)
{
    private long _delay;
    private volatile bool _isSevered;
    private volatile bool _isBlocked;

    public NetworkNode From => from;

    public NetworkNode To => to;

    /// <summary>How long a message is under way.</summary>
    public TimeSpan Delay
    {
        get => new(Volatile.Read(ref _delay));
        set => Volatile.Write(ref _delay, value.Ticks);
    }

    /// <summary>Whether connections that use it are broken.</summary>
    public bool IsSevered
    {
        get => _isSevered;
        set => _isSevered = value;
    }

    /// <summary>Whether engines' batches are lost on it.</summary>
    public bool IsBlocked
    {
        get => _isBlocked;
        set => _isBlocked = value;
    }

    /// <summary>Whether nothing arrives.</summary>
    public bool IsCut => _isSevered || from.IsCut || to.IsCut;

    /// <summary>Whether what arrives must be kept for a while.</summary>
    public bool IsSlow => Volatile.Read(ref _delay) > 0 || from.IsPaused || to.IsPaused;

    /// <summary>Completes when neither end stands still.</summary>
    public async ValueTask PassAsync()
    {
        while (from.IsPaused || to.IsPaused)
        {
            await from.PassAsync().ConfigureAwait(false);
            await to.PassAsync().ConfigureAwait(false);
        }
    }
}
