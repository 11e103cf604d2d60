using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Orleans.Rows;

namespace Polyjuice.Orleans.Silos;

// States that storage providers keep in rows of their own. They are served where their grains are activated, and grains are activated where their log partition is.
internal sealed partial class SiloEngine
{
    /// <summary>How long a grain that is deactivated waits until nothing of its rows is undecided. What is not by then is decided by who activates it next.</summary>
    private static readonly TimeSpan s_restTimeout = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan s_restInterval = TimeSpan.FromMilliseconds(10);

    private static readonly TimeSpan s_regainDelayMax = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan s_regainDelay = TimeSpan.FromMilliseconds(50);

    /// <summary>How long a grain that could not be woken is left alone.</summary>
    private static readonly TimeSpan s_wakeInterval = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<(string Grain, string State), GrainRow> _rows = new();
    private readonly ConcurrentDictionary<(string Grain, string State), bool> _waking = new();

    /// <inheritdoc/>
    NodeId IEngineHost.OwnerOfRow(string grain, string state) => Places.View.Map.OwnerOf(_groups.PartitionOf(grain, Logs.Partitions));

    /// <inheritdoc/>
    void IEngineHost.WakeRow(string grain, string state)
    {
        if (!_waking.TryAdd((grain, state), true)) return;
        ThreadPool.UnsafeQueueUserWorkItem(static item => _ = item.Silo.WakeAsync(item.Grain, item.State), (Silo: this, Grain: grain, State: state), preferLocal: false);
    }

    /// <inheritdoc/>
    void IEngineHost.RowLost(string grain, string state)
    {
        if (_rows.TryGetValue((grain, state), out var row)) ThreadPool.UnsafeQueueUserWorkItem(static item => _ = item.Silo.RegainAsync(item.Row), (Silo: this, Row: row), preferLocal: false);
    }

    /// <summary>A grain with a state in a row is being activated here: completes when the state is served.</summary>
    /// <exception cref="SiloUnavailableException">The grain belongs to another silo, or the row can't be had in time.</exception>
    /// <exception cref="OrleansConfigurationException">The log holds the state: in the row it would begin
    /// anew.</exception>
    public async Task AcquireRowAsync(GrainRow row, CancellationToken cancellationToken)
    {
        await Partitions.JoinAsync(row.Grain, cancellationToken);

        // The grain goes on to where it belongs, and its row is that silo's.
        if (Places.View.Map.OwnerOf(Places.PartitionOf(row.Grain.GrainId)) != Node) return;
        RequireNotInLog(row);
        var name = (row.Key.Grain, row.Key.State);
        _rows[name] = row;

        // However the activation ends: nothing is served for one that is gone.
        _ = row.Grain.Deactivated.ContinueWith(
            static (_, state) =>
            {
                var (silo, row) = ((SiloEngine, GrainRow))state!;
                silo.Release(row);
            },
            (this, row), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        try
        {
            await TakeOverAsync(row, cancellationToken);
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            throw new SiloUnavailableException(
                $"The row of {row.Key.Grain}.{row.Key.State} could not be taken over within {_options.TakeOverTimeout}, or somebody else took it in between: the log says what its storage has answered. Try again.", exception);
        }
    }

    /// <summary>
    /// Takes a row over again that an activation has lost, in place: the activation may be in the middle of the very call that waits for what the row decides, so it can't go away first.
    /// </summary>
    public async Task RegainAsync(GrainRow row)
    {
        if (!row.BeginRegaining()) return;
        try
        {
            for (var delay = s_regainDelay; Holds(row) && !Serves(row) && !_life.IsStopping; delay = delay * 2 < s_regainDelayMax ? delay * 2 : s_regainDelayMax)
            {
                if (Places.View.Map.OwnerOf(Places.PartitionOf(row.Grain.GrainId)) != Node) break;
                try
                {
                    await TakeOverAsync(row, CancellationToken.None);
                    return;
                }
                catch (OperationCanceledException)
                {
                    // Somebody else wants it too, or its storage is away.
                    await Task.Delay(delay, CancellationToken.None);
                }
            }
        }
        catch (Exception exception)
        {
            if (!_life.IsStopping) HostLog.RowNotRegained(_logger, exception, row.Key.Grain, row.Key.State);
        }
        finally
        {
            row.EndRegaining();
        }

        if (Holds(row) && !Serves(row)) row.Grain.Deactivate(new(DeactivationReasonCode.Migrating, $"The row of the grain's state {row.Key.State} is served elsewhere, or can't be used."));
    }

    /// <summary>An activation goes away: what is undecided in its row gets a moment, then the row is let go.</summary>
    public async Task LeaveRowAsync(GrainRow row, CancellationToken cancellationToken)
    {
        if (Holds(row)) await RestAsync(row, s_restTimeout, cancellationToken);
        Release(row);
    }

    /// <summary>Waits until nothing of a row is undecided.</summary>
    /// <returns>Whether it came to that in time.</returns>
    public async Task<bool> RestAsync(GrainRow row, TimeSpan timeout, CancellationToken cancellationToken)
    {
        for (var start = Environment.TickCount64; ; await Task.Delay(s_restInterval, cancellationToken))
        {
            if (IsAtRest(row)) return true;
            if (Environment.TickCount64 - start >= timeout.TotalMilliseconds || _life.IsStopping) return false;
        }
    }

    // A storage provider that was registered later must not hide what is in the log: updates would go to the row, and
    // be gone when the provider is.
    private void RequireNotInLog(GrainRow row)
    {
        using (Turn.Enter())
        {
            if (!Engine.HoldsInLog(row.Key)) return;
        }

        throw new OrleansConfigurationException(
            $"State '{row.Key.State}' of grain {row.Key.Grain} is in the transaction logs ({Logs.Place.Location}), and this silo is "
            + $"configured to keep it with {ProviderOf(row)}, where it is not. Keep it in the logs "
            + $"({OptionOf(row)} = {nameof(StateStorage)}.{nameof(StateStorage.Log)}), or take that provider out of the silo.");
    }

    /// <summary>
    /// A grain with a state in the log is being activated here: the log must not hide a row of it, in which the state was until somebody
    /// said that it goes to the log. Looked at only while the log holds nothing of the state.
    /// </summary>
    /// <exception cref="OrleansConfigurationException">The row holds the state: in the log it would begin anew.</exception>
    /// <exception cref="Exception">The row could not be read, so that nobody knows.</exception>
    public async Task RequireNotInRowAsync(GrainRow row, CancellationToken cancellationToken)
    {
        using (Turn.Enter())
        {
            // A grain that goes on to another silo is looked at there.
            if (!Engine.Owns(Places.PartitionOf(row.Grain.GrainId)) || Engine.HoldsInLog(row.Key)) return;
        }

        if (!await row.HoldsStateAsync(cancellationToken)) return;
        throw new OrleansConfigurationException(
            $"State '{row.Key.State}' of grain {row.Key.Grain} is with {ProviderOf(row)}, and this silo is configured to keep it in the "
            + $"transaction logs ({Logs.Place.Location}), where it is not. Keep it with that provider "
            + $"({OptionOf(row)} = {nameof(StateStorage)}.{nameof(StateStorage.Provider)}); or, if it is to begin anew in the logs, remove the row, or set "
            + $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.LooksForHiddenRows)} = false.");
    }

    private static string ProviderOf(GrainRow row) => row.Storage.Length == 0 ? "the silo's default storage provider" : $"the storage provider '{row.Storage}'";

    private static string OptionOf(GrainRow row) => $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.StateStorageOf)}[\"{row.Storage}\"]";

    private async Task TakeOverAsync(GrainRow row, CancellationToken cancellationToken)
    {
        using var bound = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _life.Stopping);
        bound.CancelAfter(_options.TakeOverTimeout);
        await Turn.RunAsync(() => row.AcquireAsync(Engine, bound.Token));
    }

    private bool Serves(GrainRow row)
    {
        using (Turn.Enter()) return Engine.OwnsRow(row.Key);
    }

    private bool IsAtRest(GrainRow row)
    {
        using (Turn.Enter()) return Engine.IsRowAtRest(row.Key);
    }

    private bool Holds(GrainRow row) => _rows.TryGetValue((row.Key.Grain, row.Key.State), out var holder) && ReferenceEquals(holder, row);

    // An activation that came later has taken the row from this one already.
    private void Release(GrainRow row)
    {
        if (!_rows.TryRemove(new((row.Key.Grain, row.Key.State), row)) || _life.IsClosed) return;
        using (Turn.Enter()) Engine.ReleaseRow(row.Key);
    }

    private async Task WakeAsync(string grain, string state)
    {
        try
        {
            if (!GrainId.TryParse(grain, null, out var id)) throw new FormatException($"'{grain}' is not a grain's identity.");
            if (await _silo.Grains.GetGrain(id).AsReference<IRowExtension>().Wake(state).WaitAsync(GrainLoads.Patience)) return;
            HostLog.NoSuchRow(_logger, grain, state);
            await Task.Delay(s_wakeInterval, _life.Stopping);
        }
        catch (Exception exception)
        {
            if (_life.IsStopping) return;
            HostLog.NotWoken(_logger, exception, grain, state);
            await Task.Delay(s_wakeInterval, CancellationToken.None);
        }
        finally
        {
            // Whoever needs it says so again.
            _waking.TryRemove((grain, state), out _);
        }
    }
}
