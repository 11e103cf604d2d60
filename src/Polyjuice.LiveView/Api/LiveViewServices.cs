using Polyjuice.Diagnostics;
using Polyjuice.LiveView.Measuring;
using Polyjuice.LiveView.Policies;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Api;

/// <summary>What the endpoints look at.</summary>
/// <param name="Options">Validated.</param>
/// <param name="History">The last ten minutes.</param>
/// <param name="Conflicts">Hot grains.</param>
/// <param name="Actions">The policies' history.</param>
/// <param name="Inspection">Of the engines.</param>
/// <param name="Training">Whoever trains, if anybody does.</param>
/// <param name="Types">Transaction types that can be started, if somebody knows.</param>
internal sealed record LiveViewServices(
    LiveViewOptions Options, SampleHistory History, ConflictView Conflicts, IPolicyActions Actions,
    IEngineInspection Inspection,
    ITrainingStatus? Training, ITransactionTypes? Types)
{
    /// <summary>Waits by site over the latest samples.</summary>
    /// <param name="samples">How many.</param>
    public WaitsAnswer WaitsOver(int samples)
    {
        var (seconds, sites) = History.Waits(samples);
        return new(seconds, sites);
    }
}
