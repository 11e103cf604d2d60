using System.Globalization;
using Polyjuice.Storage;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>
/// What is found out and made before anything is measured: which calls can be made again, and the states that they met.
/// </summary>
/// <param name="plan">The training.</param>
/// <param name="clusters">Starts its clusters.</param>
/// <param name="output">Where it says what can't be made.</param>
internal sealed class CallPreparation(ClusterTrainingPlan plan, TestClusters clusters, TextWriter output)
{
    /// <summary>Where the states of the held-out calls come from, as a clause.</summary>
    public string Origin =>
        !plan.Trace.States.IsEmpty ? "those that were recorded with the window, and what its calls before have done"
        : plan.Application.LoadAsync is not null
            ? "those that the application loads, and what all calls before have done"
            : "the trace has none, so empty ones, and what all calls before have done";

    /// <summary>Does it.</summary>
    /// <param name="windows">The calls.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>What can be made, the calls of the calibration, and those of each part of the race.</returns>
    /// <exception cref="ArgumentException">Too few can be made again.</exception>
    /// <exception cref="ClusterFailedException">A cluster did not start, or did not last.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public async Task<(CallCheck Check, PreparedCalls Search, IReadOnlyList<PreparedCalls> HeldOut)> RunAsync(
        CallWindows windows, CancellationToken cancellationToken)
    {
        var check = await CheckAsync(cancellationToken).ConfigureAwait(false);
        var missing = plan.Trace.States.ToArray().Count(static state => !state.Kind.IsKnown());
        if (missing > 0)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{missing:n0} states were too large or could not be recorded: calls meet empty ones there."));
        }

        var logs = new InitialLogs(plan.Application, clusters);
        var search = await PreparedAsync(windows.Search).ConfigureAwait(false);
        var race = new List<PreparedCalls>();
        foreach (var window in windows.HeldOut) race.Add(await PreparedAsync(window).ConfigureAwait(false));
        return (check, search, race);

        async Task<PreparedCalls> PreparedAsync(CallWindow window) =>
            new(window.Calls, await logs.OfAsync(window, cancellationToken).ConfigureAwait(false));
    }

    private async Task<CallCheck> CheckAsync(CancellationToken cancellationToken)
    {
        CallCheck check;
        const string purpose = "a look at the recorded calls";
        var logs = new MemoryLogStore(plan.Cluster.Silos);
        await using (var cluster = await clusters.StartAsync(plan.Training.Parent, logs, isDelayed: false, purpose)
            .ConfigureAwait(false))
        {
            using var watch = new ClusterWatch(cluster);
            check = new CallReplay(plan.Trace, cluster.CallTarget).Check(cancellationToken);
            watch.ThrowIfEnded(purpose);
        }

        if (check.LeftOut == 0)
        {
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture, $"All {check.Recorded:n0} recorded calls can be made again."));
            return check;
        }

        var lines = check.NotMade.Select(
            static one => string.Create(CultureInfo.InvariantCulture, $"  {one.Value,9:n0}  {one.Key}"));
        var said = string.Join('\n', lines.Prepend(string.Create(
            CultureInfo.InvariantCulture,
            $"{check.LeftOut:n0} of {check.Recorded:n0} recorded calls ({check.LeftOutShare:0.#%}) can't be "
            + $"made again, and are left out:")));
        if (check.LeftOutShare > plan.Cluster.LeftOutMax)
        {
            var most = plan.Cluster.LeftOutMax.ToString("0.#%", CultureInfo.InvariantCulture);
            throw new ArgumentException(
                $"{said}\nThat is more than {most}: what is left is another load. Name every assembly with grains and "
                + "types of their arguments, in the version that was recorded; or allow it with --left-out-percent.",
                    nameof(plan));
        }

        output.WriteLine(said);
        return check;
    }
}
