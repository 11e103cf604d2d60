using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>Has grains activated, and tells the engine which are gone. Thread-safe.</summary>
internal sealed class GrainLoads(EngineTurn turn, EngineLife life, SiloServices silo, ILogger logger)
{
    /// <summary>How long a grain may take to be activated.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(5);

    /// <summary>Activates a grain, for who is about to reserve its states.</summary>
    /// <returns>Whether its calls would run by now.</returns>
    public ValueTask<bool> LoadAsync(string grain)
    {
        // Neither on the turn nor in the flow of whoever reserves.
        using (ExecutionContext.SuppressFlow()) return new(Task.Run(() => ActivateAsync(grain)));
    }

    /// <summary>An activation of a grain is gone, or never came to be.</summary>
    public void Unload(ParticipantKey key)
    {
        if (life.IsClosed) return;
        using (turn.Enter()) life.Engine.GrainGone(key);
    }

    /// <summary>Has Orleans look again whom of those who wait it may let into a grain that is here.</summary>
    public void Wake(GrainId grain)
    {
        using (ExecutionContext.SuppressFlow())
            Task.Run(() => silo.Grains.GetGrain(grain).AsReference<IGrainLoading>().Load()).Ignore();
    }

    private async Task<bool> ActivateAsync(string grain)
    {
        try
        {
            if (!GrainId.TryParse(grain, null, out var id)) return false;
            var loading = silo.Grains.GetGrain(id).AsReference<IGrainLoading>().Load();
            await loading.WaitAsync(Patience, life.Stopping);
            return true;
        }
        catch (Exception exception)
        {
            // Transactions come to it all the same, and hear why.
            if (!life.IsStopping) HostLog.NotLoaded(logger, exception, grain);
            return false;
        }
    }
}
