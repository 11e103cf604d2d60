using Orleans.Runtime;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Silos;

// What those who operate the silo ask.
internal sealed partial class SiloEngine : IPolyjuiceSilo, IFollowedEngines
{
    /// <inheritdoc/>
    string IFollowedEngines.Name => Silo.ToString();

    /// <inheritdoc/>
    ILogNotes? IFollowedEngines.Notes => _logs as ILogNotes;

    /// <inheritdoc/>
    public SiloReadiness Readiness
    {
        get
        {
            var view = View;
            var (partitions, owned, served) = (view.Map.Count, 0, 0);
            string? problem = null;
            for (var partition = 0; partition < partitions; partition++)
            {
                if (view.Map.OwnerOf(partition) != Node) continue;
                owned++;
                if (IsServing(partition)) served++;
                else if (_serving[partition].Problem is { } found) problem ??= $"partition {partition}: {found}";
            }

            return new(view.StatusOf(Node), partitions, owned, served, _stopping.IsCancellationRequested) { Problem = problem };
        }
    }

    /// <inheritdoc/>
    public bool HasFailed => _engine is { HasFailed: true };

    /// <inheritdoc/>
    public bool HasTransactions => _open.Any || _engine is { HasTransactions: true };

    /// <inheritdoc/>
    public EngineStatistics? Statistics => _engine?.Statistics;

    /// <inheritdoc/>
    public SiloAddress? OwnerOf(GrainId grain)
    {
        var view = View;
        return view.Map.Count == 0 ? null : view.SiloOf(view.Map.OwnerOf(StableHash.Partition(grain.ToString(), view.Map.Count)));
    }
}
