namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>
/// Runs each of a grain's calls once that Orleans may deliver twice: a message is sent again when its connection breaks
/// while it is being written, and both copies may arrive. Where a call starts a transaction, Polyjuice sees to that. A
/// plain method whose code starts one has to see to it itself, as any plain method has that must not run twice. On the
/// grain's turn.
/// </summary>
internal sealed class OwnCalls
{
    /// <summary>The latest calls of a grain that are remembered. A copy comes at once, or never.</summary>
    public const int CountMax = 256;

    private readonly Dictionary<long, Task<CellSight[]>> _calls = [];
    private readonly Queue<long> _latest = [];

    /// <summary>Runs a call, unless one of its number has come before.</summary>
    /// <returns>What the first one of that number comes to.</returns>
    public Task<CellSight[]> Once(long number, Func<Task<CellSight[]>> run)
    {
        if (_calls.TryGetValue(number, out var first)) return first;
        if (_latest.Count == CountMax) _calls.Remove(_latest.Dequeue());
        var call = run();
        _calls.Add(number, call);
        _latest.Enqueue(number);
        return call;
    }
}
