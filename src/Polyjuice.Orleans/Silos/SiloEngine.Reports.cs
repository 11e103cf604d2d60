using System.Buffers;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Orleans.Silos;

// Reports of calls whose answers have come without them.
internal sealed partial class SiloEngine
{
    /// <summary>
    /// More than are asked for at a time. A call whose report has been dropped counts as one that has not run.
    /// </summary>
    private const int ReportsMax = 4_096;

    private readonly Dictionary<(TransactionId Transaction, NodeId Caller, long Call), byte[]> _reports = [];
    private readonly Queue<(TransactionId Transaction, NodeId Caller, long Call)> _reportsInOrder = new();

    /// <summary>
    /// Asks for the report of a call that this silo has made and that has been answered: first where the grain should
    /// be.
    /// </summary>
    /// <param name="call">The call.</param>
    /// <param name="target">The grain.</param>
    /// <returns>
    /// The report; none if the call has never run anywhere. And whether that is not known, because a silo does not
    /// answer.
    /// </returns>
    public async Task<(byte[]? Report, bool IsUnknown)> FindReportAsync(OutgoingCall call, GrainId target)
    {
        // It has not left this silo.
        if (call.Id == 0) return default;

        // The transaction is not the service's.
        RequestContext.Clear();
        var client = _silo.Peers;
        var owner = OwnerOf(target);
        foreach (var silo in View.Others(Node).OrderByDescending(silo => silo.Equals(owner)).ToArray())
        {
            try
            {
                if (await client.FindReportAsync(silo, call.TransactionId, Node, call.Id) is { } report)
                    return (report, false);
            }
            catch (Exception exception)
            {
                HostLog.ReportNotFound(_logger, exception, silo);
                return (null, true);
            }
        }

        return default;
    }

    /// <summary>
    /// Keeps the report of another silo's call, whose transaction may be forgotten here before it is asked for.
    /// </summary>
    public void KeepReport(NodeId caller, CallFrame frame, byte[] report)
    {
        var key = (frame.TransactionId, caller, frame.RemoteCallId);
        using (Turn.Enter())
        {
            if (!_reports.TryAdd(key, report)) return;
            _reportsInOrder.Enqueue(key);
            while (_reportsInOrder.Count > ReportsMax) _reports.Remove(_reportsInOrder.Dequeue());
        }
    }

    /// <summary>
    /// The report of another silo's call, if it has run here; it never will from then on. Any thread.
    /// </summary>
    public byte[]? FindReport(TransactionId transaction, NodeId caller, long call)
    {
        if (_life.Running is not { } engine) return null;
        var report = new ArrayBufferWriter<byte>(256);
        using (Turn.Enter())
        {
            if (_reports.Remove((transaction, caller, call), out var kept)) return kept;
            return engine.TryWriteReport(transaction, caller, call, report) ? report.WrittenSpan.ToArray() : null;
        }
    }
}
