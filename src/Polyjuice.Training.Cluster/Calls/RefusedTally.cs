using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>
/// What the application has refused in all measurements, beside what it refused when it was recorded: where these
/// differ, the states were not those of the recording. Not thread-safe.
/// </summary>
internal sealed class RefusedTally
{
    /// <summary>In percentage points, as a share. Less may be what is due to another order of calls.</summary>
    private const double OffMax = 0.1;

    private const int ReasonsShown = 3;

    private readonly SortedDictionary<string, int> _reasons = new(StringComparer.Ordinal);
    private long _all;
    private long _refused;

    /// <summary>Adds a measurement.</summary>
    public void Add(CallSample sample)
    {
        _all += sample.Committed + sample.Refused + sample.Failed;
        _refused += sample.Refused;
        foreach (var (reason, count) in sample.Reasons) _reasons[reason] = _reasons.GetValueOrDefault(reason) + count;
    }

    /// <summary>What is to be said about it; <see langword="null"/> if they do not differ much.</summary>
    /// <param name="recorded">What share was refused when it was recorded.</param>
    public string? Warning(double recorded)
    {
        var share = _all == 0 ? 0 : (double)_refused / _all;
        if (_all == 0 || Math.Abs(share - recorded) <= OffMax) return null;
        var most = string.Join(
            ", ",
            _reasons.OrderByDescending(static one => one.Value).Take(ReasonsShown).Select(static one => one.Key));
        var shares = string.Create(
            CultureInfo.InvariantCulture,
            $"the application has refused {share:0%} of the calls{(most.Length == 0 ? "" : $" ({most})")}, "
            + $"and {recorded:0%} when they were recorded");
        return $"Warning: {shares}. So states were not those of the recording, and this is another load. "
            + "Record with states, or load them (LoadAsync of a trainer project).";
    }

    /// <summary>What share of recorded calls was refused when they were recorded.</summary>
    /// <param name="recordings">The recordings.</param>
    public static double RecordedShare(IEnumerable<AccessTrace> recordings)
    {
        var (all, refused) = (0, 0);
        foreach (var calls in recordings)
        {
            all += calls.Transactions.Length;
            foreach (ref readonly var transaction in calls.Transactions)
            {
                if (transaction.Outcome == AbortReason.UserException) refused++;
            }
        }

        return all == 0 ? 0 : (double)refused / all;
    }
}
