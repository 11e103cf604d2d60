using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Rows;

/// <inheritdoc/>
internal sealed class RowDrain(IGrainFactory grains) : IRowDrain
{
    /// <inheritdoc/>
    public async Task<IReadOnlyList<RowReport>> DrainAsync(GrainId grain, TimeSpan timeout) =>
        await grains.GetGrain(grain).AsReference<IRowExtension>().Drain(timeout);
}
