using Microsoft.Extensions.Logging;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Calls;

/// <summary>Finds the reports of this silo's calls whose answers have come without them. Thread-safe.</summary>
internal sealed class ReportSearch(
    SiloIdentity self, SiloServices silo, GrainPlaces places, IReadOnlyList<SiloEngine> engines, ILogger logger)
{
    /// <summary>
    /// The report of a call, if it has run on an engine of this silo that is not the caller's; it never will from then
    /// on.
    /// </summary>
    public byte[]? FindHere(TransactionId transaction, NodeId caller, long call)
    {
        byte[]? found = null;
        foreach (var engine in engines)
        {
            if (engine.Node != caller) found = engine.Reports.Find(transaction, caller, call) ?? found;
        }

        return found;
    }

    /// <summary>
    /// Asks for the report of a call that an engine of this silo has made and that has been answered: first the other
    /// engines here, then where the grain should be.
    /// </summary>
    /// <param name="caller">The engine.</param>
    /// <param name="call">The call.</param>
    /// <param name="target">The grain.</param>
    /// <returns>
    /// The report; none if the call has never run anywhere. And whether that is not known, because a silo does not
    /// answer.
    /// </returns>
    public async Task<(byte[]? Report, bool IsUnknown)> FindAsync(SiloEngine caller, OutgoingCall call, GrainId target)
    {
        // It has not left its engine.
        if (call.Id == 0) return default;
        if (FindHere(call.TransactionId, caller.Node, call.Id) is { } here) return (here, false);

        // The transaction is not the service's.
        RequestContext.Clear();
        var peers = silo.Peers;
        var owner = places.OwnerOf(target);
        foreach (var peer in places.View.Others(self.Node).OrderByDescending(peer => peer.Equals(owner)).ToArray())
        {
            try
            {
                if (await peers.FindReportAsync(peer, call.TransactionId, caller.Node, call.Id) is { } report)
                    return (report, false);
            }
            catch (Exception exception)
            {
                HostLog.ReportNotFound(logger, exception, peer);
                return (null, true);
            }
        }

        return default;
    }
}
