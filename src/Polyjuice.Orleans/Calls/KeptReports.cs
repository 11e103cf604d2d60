using System.Buffers;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Reports of other engines' calls whose answers have left without them, until they are asked for. Thread-safe.
/// </summary>
internal sealed class KeptReports(EngineTurn turn, EngineLife life)
{
    /// <summary>
    /// More than are asked for at a time. A call whose report has been dropped counts as one that has not run.
    /// </summary>
    private const int ReportsMax = 4_096;

    private readonly Dictionary<(TransactionId Transaction, NodeId Caller, long Call), byte[]> _reports = [];
    private readonly Queue<(TransactionId Transaction, NodeId Caller, long Call)> _inOrder = new();

    /// <summary>
    /// Keeps the report of another engine's call, whose transaction may be forgotten here before it is asked for.
    /// </summary>
    public void Keep(NodeId caller, CallFrame frame, byte[] report)
    {
        var key = (frame.TransactionId, caller, frame.RemoteCallId);
        using (turn.Enter())
        {
            if (!_reports.TryAdd(key, report)) return;
            _inOrder.Enqueue(key);
            while (_inOrder.Count > ReportsMax) _reports.Remove(_inOrder.Dequeue());
        }
    }

    /// <summary>The report of another engine's call, if it has run here; it never will from then on.</summary>
    public byte[]? Find(TransactionId transaction, NodeId caller, long call)
    {
        if (life.Running is not { } engine) return null;
        var report = new ArrayBufferWriter<byte>(256);
        using (turn.Enter())
        {
            if (_reports.Remove((transaction, caller, call), out var kept)) return kept;
            return engine.TryWriteReport(transaction, caller, call, report) ? report.WrittenSpan.ToArray() : null;
        }
    }
}
