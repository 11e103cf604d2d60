namespace Polyjuice.Storage.PostgreSql;

/// <summary>Appends of one statement (<see cref="AppendGroups"/>).</summary>
internal sealed class AppendGroup : IDisposable
{
    private readonly CancellationTokenSource _givenUp = new();
    private int _wanted;

    /// <summary>They, in the order in which they came.</summary>
    public List<PendingAppend> Appends { get; } = [];

    /// <summary>Cancelled when nobody wants any of them any more.</summary>
    public CancellationToken GivenUp => _givenUp.Token;

    /// <summary>Adds one, before it is sent.</summary>
    public void Add(PendingAppend append)
    {
        append.Group = this;
        Appends.Add(append);
        _wanted++;
    }

    /// <summary>One is not wanted any more. Thread-safe.</summary>
    public void GiveUpOne()
    {
        if (Interlocked.Decrement(ref _wanted) > 0) return;
        try
        {
            _givenUp.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // It has just been answered.
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _givenUp.Dispose();
}
