using System.Diagnostics;
using Orleans;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>
/// Clients of one cluster, each of which makes its next transfer when
/// the last one has ended: for a slice of time, and another one later.
/// </summary>
internal sealed class TransferLoad(
    IGrainFactory grains, ClientLoop loop, string policy, int clients, Func<int, BenchmarkRandom> randomOf,
    ITransferKeys keys)
{
    private readonly BenchmarkRandom[] _randoms = [.. Enumerable.Range(0, clients).Select(randomOf)];
    private bool _isOver;

    /// <summary>Transfers that have committed, in all slices.</summary>
    public long Committed { get; private set; }

    /// <summary>Transfers that were given up.</summary>
    public long Failed { get; private set; }

    /// <summary>
    /// Lets clients begin transfers for some time, and comes back when all that they began have ended. As many end
    /// after that time as were open at its end, and none was open when it began: so what a slice commits, over its
    /// time, is the rate of a load that goes on.
    /// </summary>
    /// <param name="time">How long.</param>
    /// <param name="committedMax">
    /// Ends it when so many have committed in all slices; <see langword="null"/> by time only.
    /// </param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <returns>For how long clients began transfers.</returns>
    public async Task<TimeSpan> RunAsync(TimeSpan time, long? committedMax, CancellationToken cancellationToken)
    {
        Volatile.Write(ref _isOver, false);
        var begun = Stopwatch.GetTimestamp();
        var load = loop.RunAsync(() => Task.WhenAll(_randoms.Select(random => ClientAsync(random, committedMax))));
        await LoadPause.ForAsync(time, load, cancellationToken);
        var elapsed = Stopwatch.GetElapsedTime(begun);
        Volatile.Write(ref _isOver, true);
        await load;
        return elapsed;
    }

    private async Task ClientAsync(BenchmarkRandom random, long? committedMax)
    {
        while (!Volatile.Read(ref _isOver))
        {
            var chosen = keys.Next(random);
            try
            {
                await AdmissionTable.Transfer(policy, grains.GetGrain<IRecordGrain>(chosen[0]), chosen[1..]);
                Committed++;
                if (Committed >= committedMax) Volatile.Write(ref _isOver, true);
            }
            catch (Exception exception) when (Outcomes.Of<NotSupportedException>(exception) is OperationOutcome.Aborted)
            {
                Failed++;
            }
        }
    }
}
