using Polyjuice.Isolation;

namespace Polyjuice.Testing;

public sealed partial class PolyjuiceTestCluster
{
    private readonly HistoryRecorder? _history;

    /// <summary>
    /// Who records what transactions see and write, if
    /// <see cref="PolyjuiceTestClusterOptions.RecordsHistory"/> says so.
    /// </summary>
    /// <exception cref="InvalidOperationException">It does not.</exception>
    internal HistoryRecorder History => _history
        ?? throw new InvalidOperationException(
            "This cluster records no history: set "
            + $"{nameof(PolyjuiceTestClusterOptions)}.{nameof(PolyjuiceTestClusterOptions.RecordsHistory)}.");

    /// <summary>
    /// Judges what was recorded so far: names each anomaly with the transactions that show it, or finds none.
    /// </summary>
    /// <param name="model">What is to hold.</param>
    /// <exception cref="InvalidOperationException">The cluster records no history.</exception>
    public IsolationReport Judge(ConsistencyModel model = ConsistencyModel.StrictSerializable) => History.Judge(model);

    /// <summary>Judges what was recorded so far, and keeps the run's evidence if there is an anomaly.</summary>
    /// <param name="model">What is to hold.</param>
    /// <exception cref="ClusterRunException">
    /// There is one. The message names it and says where the evidence is.
    /// </exception>
    /// <exception cref="InvalidOperationException">The cluster records no history.</exception>
    public async Task RequireAsync(ConsistencyModel model = ConsistencyModel.StrictSerializable)
    {
        var report = Judge(model);
        if (!report.IsValid)
            await KeepOnFailureAsync(() => Task.FromException(new InvalidOperationException(report.ToString())))
                .ConfigureAwait(false);
    }
}
