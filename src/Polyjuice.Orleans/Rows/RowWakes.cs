using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// Has grains activated whose rows somebody waits for: each once at a time, however often that is said. Thread-safe.
/// </summary>
internal sealed class RowWakes(SiloLife life, SiloServices silo, ILogger logger)
{
    /// <summary>How long a grain that could not be woken is left alone.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<(string Grain, string State), bool> _waking = new();

    /// <summary>Something waits for a state that nobody serves. On the engine's turn.</summary>
    public void Wake(string grain, string state)
    {
        if (!_waking.TryAdd((grain, state), true)) return;
        ThreadPool.UnsafeQueueUserWorkItem(
            static item => _ = item.Wakes.WakeAsync(item.Grain, item.State), (Wakes: this, Grain: grain, State: state),
            preferLocal: false);
    }

    private async Task WakeAsync(string grain, string state)
    {
        try
        {
            if (!GrainId.TryParse(grain, null, out var id))
                throw new FormatException($"'{grain}' is not a grain's identity.");
            var waking = silo.Grains.GetGrain(id).AsReference<IRowExtension>().Wake(state);
            if (await waking.WaitAsync(GrainLoads.Patience)) return;
            HostLog.NoSuchRow(logger, grain, state);
            await Task.Delay(s_interval, life.Stopping);
        }
        catch (Exception exception)
        {
            if (life.IsStopping) return;
            HostLog.NotWoken(logger, exception, grain, state);
            await Task.Delay(s_interval, CancellationToken.None);
        }
        finally
        {
            // Whoever needs it says so again.
            _waking.TryRemove((grain, state), out _);
        }
    }
}
