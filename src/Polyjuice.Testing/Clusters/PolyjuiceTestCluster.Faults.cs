using Orleans.Runtime;

namespace Polyjuice.Testing;

public sealed partial class PolyjuiceTestCluster
{
    private readonly Lock _faultGate = new();
    private readonly List<FaultScript> _scripts = [];
    private ClusterFaults? _faults;

    /// <summary>
    /// The faults that befall the cluster from now on. Setting it stops the ones
    /// before, whose faults end at once; <see langword="null"/> begins none.
    /// </summary>
    /// <exception cref="OrleansConfigurationException">
    /// An option is out of its bounds; the message names it.
    /// </exception>
    public ClusterFaults? Faults
    {
        get
        {
            lock (_faultGate) return _faults;
        }

        set
        {
            if (value is not null) SiloSetup.Validate(value);
            lock (_faultGate)
            {
                if (_scripts.Count > 0) _scripts[^1].Stop();
                _faults = value;
                if (value is not null) _scripts.Add(new(value, _fleet, Network));
            }
        }
    }

    /// <summary>What the last fault script was to do and has done; <see langword="null"/> if there was none.</summary>
    internal FaultLedger? FaultLedger
    {
        get
        {
            lock (_faultGate) return _scripts.Count == 0 ? null : _scripts[^1].Ledger;
        }
    }

    /// <summary>
    /// Stops the fault script, ends all faults, and lets silos that stand still go on. Completes when none is left and
    /// the cluster is served (<see cref="WhenServedAsync"/>).
    /// </summary>
    /// <param name="timeout">The bound on the latter; 1 min by default.</param>
    /// <exception cref="TimeoutException">It is not served in time.</exception>
    public async Task SettleAsync(TimeSpan? timeout = null)
    {
        await EndFaultsAsync().ConfigureAwait(false);
        Network.Heal();
        Network.Batches.Clear();
        Network.Delay = _options.NetworkDelay;
        foreach (var silo in Silos)
        {
            silo.Log.Clear();
            silo.Log.AppendDelay = _options.AppendDelay;
            silo.Resume();
        }

        await WhenServedAsync(timeout).ConfigureAwait(false);
    }

    private async Task EndFaultsAsync()
    {
        Faults = null;
        FaultScript[] scripts;
        lock (_faultGate) scripts = [.. _scripts];
        foreach (var script in scripts) await script.Ended.ConfigureAwait(false);
    }
}
