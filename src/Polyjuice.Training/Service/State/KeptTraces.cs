using System.Globalization;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Service.State;

/// <summary>
/// The traces of the last windows, in files. What is known of a window beside its file is the state's.
/// </summary>
/// <param name="folder">Of the files.</param>
/// <param name="count">How many are kept.</param>
/// <param name="transactionsMax">Of each.</param>
internal sealed class KeptTraces(string folder, int count, int transactionsMax)
{
    /// <summary>Keeps a window's, and drops the oldest.</summary>
    public async Task AddAsync(CollectedWindow window, CancellationToken cancellationToken)
    {
        if (window.Trace is not { } trace) return;
        await TraceFile.WriteAsync(Shortened(trace), PathOf(window.Window), cancellationToken);
        foreach (var old in Windows().Order().SkipLast(count)) File.Delete(PathOf(old));
    }

    /// <summary>
    /// A trace to train on: of windows at the level that there is now, those with the highest conflict rates, until
    /// there is enough, in the order of time. <see langword="null"/> if there is none.
    /// </summary>
    /// <param name="rates">Of windows, by their numbers.</param>
    /// <param name="since">The first window at this level.</param>
    /// <param name="enough">So many transactions are.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public AccessTrace? Choose(
        IReadOnlyDictionary<long, double> rates, long since, int enough, CancellationToken cancellationToken)
    {
        var chosen = new SortedDictionary<long, AccessTrace>();
        var transactions = 0;
        foreach (var window in Windows().Where(window => window >= since && rates.ContainsKey(window))
            .OrderByDescending(window => rates[window]).ThenByDescending(window => window))
        {
            AccessTrace trace;
            try
            {
                trace = TraceFile.Read([PathOf(window)], cancellationToken).Trace;
            }
            catch (TraceFormatException)
            {
                // Damaged; others will do.
                File.Delete(PathOf(window));
                continue;
            }

            chosen.Add(window, trace);
            transactions += trace.Transactions.Length;
            if (transactions >= enough) break;
        }

        return chosen.Count == 0 ? null : TraceJoin.Of([.. chosen.Values]);
    }

    /// <summary>Its start, and not some of all of it: thinning transactions would thin contention.</summary>
    private AccessTrace Shortened(AccessTrace trace) =>
        trace.Transactions.Length <= transactionsMax
            ? trace
            : trace.Slice(
                trace.Windows[0].StartMicroseconds,
                Math.Max(
                    trace.Transactions[transactionsMax].ArrivalMicroseconds, trace.Windows[0].StartMicroseconds + 1));

    private IEnumerable<long> Windows() => Directory.EnumerateFiles(folder, "*" + TraceFile.Extension)
        .Select(
            file => long.TryParse(
                Path.GetFileNameWithoutExtension(file),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var window)
                ? window
                : -1)
        .Where(window => window >= 0).ToList();

    private string PathOf(long window) =>
        Path.Combine(folder, window.ToString(CultureInfo.InvariantCulture) + TraceFile.Extension);
}
