using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// States that storage providers keep in rows of their own. They are served where their grains are activated, and
/// grains are activated where their log partition is. Thread-safe.
/// </summary>
internal sealed class ServedRows(
    EngineIdentity self, EngineTurn turn, EngineLife life, GrainPlaces places, ServedPartitions partitions,
    HiddenStates hidden, PolyjuiceOptions options, ILogger logger)
{
    /// <summary>
    /// How long a grain that is deactivated waits until nothing of its rows is undecided. What is not by then is
    /// decided by who activates it next.
    /// </summary>
    private static readonly TimeSpan s_restTimeout = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan s_restInterval = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_regainDelay = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_regainDelayMax = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<(string Grain, string State), GrainRow> _rows = new();

    /// <summary>A grain with a state in a row is being activated here: completes when the state is served.</summary>
    /// <exception cref="SiloUnavailableException">
    /// The grain belongs to another silo, or the row can't be had in time.
    /// </exception>
    /// <exception cref="OrleansConfigurationException">
    /// The log holds the state: in the row it would begin anew.
    /// </exception>
    public async Task AcquireAsync(GrainRow row, CancellationToken cancellationToken)
    {
        await partitions.JoinAsync(row.Grain, cancellationToken);

        // The grain goes on to where it belongs, and its row is that silo's.
        if (!IsOwn(row)) return;
        hidden.RequireNotInLog(row);
        _rows[NameOf(row)] = row;

        // However the activation ends: nothing is served for one that is gone.
        _ = row.Grain.Deactivated.ContinueWith(
            static (_, state) =>
            {
                var (rows, row) = ((ServedRows, GrainRow))state!;
                rows.Release(row);
            },
            (this, row), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        try
        {
            await TakeOverAsync(row, cancellationToken);
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            throw new SiloUnavailableException(
                $"The row of {row.Key.Grain}.{row.Key.State} could not be taken over within {options.TakeOverTimeout}, "
                + "or somebody else took it in between: the log says what its storage has answered. Try again.",
                exception);
        }
    }

    /// <summary>
    /// The engine has lost a row: an activation that still wants it takes it over again. On the engine's turn.
    /// </summary>
    public void Lost(string grain, string state)
    {
        if (!_rows.TryGetValue((grain, state), out var row)) return;
        ThreadPool.UnsafeQueueUserWorkItem(
            static item => _ = item.Rows.RegainAsync(item.Row), (Rows: this, Row: row), preferLocal: false);
    }

    /// <summary>
    /// Takes a row over again that an activation has lost, in place: the activation may be in the middle of the very
    /// call that waits for what the row decides, so it can't go away first.
    /// </summary>
    public async Task RegainAsync(GrainRow row)
    {
        if (!row.BeginRegaining()) return;
        try
        {
            var delay = s_regainDelay;
            while (Holds(row) && !Serves(row) && !life.IsStopping)
            {
                if (!IsOwn(row)) break;
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

                delay = delay * 2 < s_regainDelayMax ? delay * 2 : s_regainDelayMax;
            }
        }
        catch (Exception exception)
        {
            if (!life.IsStopping) HostLog.RowNotRegained(logger, exception, row.Key.Grain, row.Key.State);
        }
        finally
        {
            row.EndRegaining();
        }

        if (!Holds(row) || Serves(row)) return;
        row.Grain.Deactivate(new(
            DeactivationReasonCode.Migrating,
            $"The row of the grain's state {row.Key.State} is served elsewhere, or can't be used."));
    }

    /// <summary>
    /// An activation goes away: what is undecided in its row gets a moment, then the row is let go.
    /// </summary>
    public async Task LeaveAsync(GrainRow row, CancellationToken cancellationToken)
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
            if (Environment.TickCount64 - start >= timeout.TotalMilliseconds || life.IsStopping) return false;
        }
    }

    private static (string Grain, string State) NameOf(GrainRow row) => (row.Key.Grain, row.Key.State);

    private async Task TakeOverAsync(GrainRow row, CancellationToken cancellationToken)
    {
        using var bound = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, life.Stopping);
        bound.CancelAfter(options.TakeOverTimeout);
        await turn.RunAsync(() => row.AcquireAsync(life.Engine, bound.Token));
    }

    private bool IsOwn(GrainRow row) =>
        places.View.Map.OwnerOf(places.PartitionOf(row.Grain.GrainId)) == self.Node;

    private bool Serves(GrainRow row)
    {
        using (turn.Enter()) return life.Engine.OwnsRow(row.Key);
    }

    private bool IsAtRest(GrainRow row)
    {
        using (turn.Enter()) return life.Engine.IsRowAtRest(row.Key);
    }

    private bool Holds(GrainRow row) =>
        _rows.TryGetValue(NameOf(row), out var holder) && ReferenceEquals(holder, row);

    // An activation that came later has taken the row from this one already.
    private void Release(GrainRow row)
    {
        if (!_rows.TryRemove(new(NameOf(row), row)) || life.IsClosed) return;
        using (turn.Enter()) life.Engine.ReleaseRow(row.Key);
    }
}
