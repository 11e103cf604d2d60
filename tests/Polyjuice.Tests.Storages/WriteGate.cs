namespace Polyjuice.Tests.Storages;

/// <summary>
/// Lets so many writes of a database through, and holds all that come after them
/// until they are let go or fail: what a silo finds that dies at this moment.
/// </summary>
public sealed class WriteGate
{
    private readonly StoredRows _rows;
    private readonly TaskCompletionSource _held = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _left;

    public WriteGate(StoredRows rows, int writes)
    {
        _rows = rows;
        _left = writes;
        rows.At = At;
    }

    /// <summary>Completes when a write is held.</summary>
    public Task Held => _held.Task.WaitAsync(TimeSpan.FromMinutes(2));

    /// <summary>Lets everything through from now on.</summary>
    public void Open()
    {
        _rows.At = static (_, _) => default;
        _released.TrySetResult();
    }

    /// <summary>The silo has died: what was held never happens, and what comes now is another silo's.</summary>
    public void Fail()
    {
        _rows.At = static (_, _) => default;
        _released.TrySetException(new IOException("The silo has died."));
    }

    private async ValueTask At(StorageMoment moment, string key)
    {
        if (moment != StorageMoment.BeforeWrite || Interlocked.Decrement(ref _left) >= 0) return;
        _held.TrySetResult();
        await _released.Task;
    }
}
