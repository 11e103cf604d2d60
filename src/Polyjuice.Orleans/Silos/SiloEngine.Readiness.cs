using Orleans.Runtime;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Silos;

// What those who operate the silo ask.
internal sealed partial class SiloEngine : IPolyjuiceSilo, IFollowedEngines
{
    private volatile bool _hasServed;

    /// <inheritdoc/>
    string IFollowedEngines.Name => Silo.ToString();

    /// <inheritdoc/>
    ILogNotes? IFollowedEngines.Notes => Logs.Store as ILogNotes;

    /// <inheritdoc/>
    public SiloReadiness Readiness
    {
        get
        {
            var view = Places.View;
            var (partitions, owned, served, unwritable) = (view.Map.Count, 0, 0, 0);
            string? problem = null;
            for (var partition = 0; partition < partitions; partition++)
            {
                if (view.Map.OwnerOf(partition) != Node) continue;
                owned++;
                var (isServed, outage) = Partitions.LookAt(partition);
                if (isServed) served++;
                if (isServed && outage is not null) unwritable++;
                if (outage is null && !isServed && Partitions.States[partition].Problem is { } found) outage = $"partition {partition}: {found}";
                problem ??= outage;
            }

            var (status, isStopping) = (view.StatusOf(Node), _life.IsStopping);
            return new(status, partitions, owned, served, isStopping)
            {
                Unwritable = unwritable,
                Problem = problem,
                IsTakingOver = _hasServed && served < owned && problem is null && status == SiloStatus.Active && !isStopping,
            };
        }
    }

    /// <inheritdoc/>
    public bool HasFailed => _life.Opened is { HasFailed: true };

    /// <inheritdoc/>
    public bool HasTransactions => _open.Any || _life.Opened is { HasTransactions: true };

    /// <inheritdoc/>
    public EngineStatistics? Statistics => _life.Opened?.Statistics;

    /// <inheritdoc/>
    public void StartTrace(TraceRecorderOptions options, ITraceSink sink) => Traces.Start(options, sink);

    /// <inheritdoc/>
    public Task<TraceCounts> StopTraceAsync() => Traces.StopAsync();

    /// <inheritdoc/>
    public SiloAddress? OwnerOf(GrainId grain) => Places.OwnerOf(grain);
}
