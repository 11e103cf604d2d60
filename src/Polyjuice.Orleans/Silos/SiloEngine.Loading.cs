using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Orleans.Silos;

// Grains are activated for those who reserve their states.
internal sealed partial class SiloEngine
{
    /// <inheritdoc/>
    ValueTask<bool> IEngineHost.LoadGrainAsync(string grain)
    {
        // Neither on the turn nor in the flow of whoever reserves.
        using (ExecutionContext.SuppressFlow()) return new(Task.Run(() => LoadAsync(grain)));
    }

    /// <summary>An activation of a grain is gone, or never came to be.</summary>
    public void Unload(ParticipantKey key)
    {
        if (_life.IsClosed) return;
        using (Turn.Enter()) Engine.GrainGone(key);
    }

    private async Task<bool> LoadAsync(string grain)
    {
        try
        {
            if (!GrainId.TryParse(grain, null, out var id)) return false;
            await _silo.Grains.GetGrain(id).AsReference<IGrainLoading>().Load().WaitAsync(s_wakeTimeout, _life.Stopping);
            return true;
        }
        catch (Exception exception)
        {
            // Transactions come to it all the same, and hear why.
            if (!_life.IsStopping) HostLog.NotLoaded(_logger, exception, grain);
            return false;
        }
    }
}
