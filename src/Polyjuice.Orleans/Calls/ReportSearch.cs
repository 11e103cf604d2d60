using Microsoft.Extensions.Logging;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Calls;

/// <summary>Finds the reports of this silo's calls whose answers have come without them. Thread-safe.</summary>
internal sealed class ReportSearch(SiloIdentity self, SiloServices silo, GrainPlaces places, ILogger logger)
{
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
    public async Task<(byte[]? Report, bool IsUnknown)> FindAsync(OutgoingCall call, GrainId target)
    {
        // It has not left this silo.
        if (call.Id == 0) return default;

        // The transaction is not the service's.
        RequestContext.Clear();
        var peers = silo.Peers;
        var owner = places.OwnerOf(target);
        foreach (var peer in places.View.Others(self.Node).OrderByDescending(peer => peer.Equals(owner)).ToArray())
        {
            try
            {
                if (await peers.FindReportAsync(peer, call.TransactionId, self.Node, call.Id) is { } report)
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
