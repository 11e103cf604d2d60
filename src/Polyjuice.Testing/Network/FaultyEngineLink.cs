using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Orleans;

namespace Polyjuice.Testing;

/// <summary>Loses, doubles and holds back what a silo's engines send. Thread-safe.</summary>
internal sealed class FaultyEngineLink(IEngineLink inner, ClusterNetwork network, NetworkNode own) : IEngineLink
{
    /// <inheritdoc/>
    public void Send(SiloAddress silo, NodeId destination, NodeId source, byte[] batch)
    {
        var line = network.At(silo.Endpoint) is { } other ? network.Line(own, other) : null;
        var fate = network.Batches.Draw(isBlocked: own.IsCut || line is { IsCut: true } or { IsBlocked: true });
        if (!fate.Arrives) return;
        if (fate.Hold == TimeSpan.Zero) inner.Send(silo, destination, source, batch);
        else Hold(fate.Hold, silo, destination, source, batch, line);
        if (fate.Again is { } again) Hold(fate.Hold + again, silo, destination, source, batch, line);
    }

    private void Hold(
        TimeSpan time, SiloAddress silo, NodeId destination, NodeId source, byte[] batch, NetworkLine? line)
    {
        // It belongs to no caller any more.
        using (ExecutionContext.SuppressFlow()) _ = Task.Run(SendLaterAsync);

        async Task SendLaterAsync()
        {
            await AtLeast.WaitAsync(time).ConfigureAwait(false);
            if (!own.IsCut && line is not { IsCut: true }) inner.Send(silo, destination, source, batch);
        }
    }
}
