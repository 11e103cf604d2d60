namespace Polyjuice.LiveView.Measuring;

/// <summary>The last ten minutes. Thread-safe.</summary>
internal sealed class SampleHistory
{
    /// <summary>So many samples are kept, about one a second.</summary>
    public const int Max = 600;

    private readonly Lock _gate = new();
    private readonly Queue<(Sample Sample, IReadOnlyList<SiteWaits> Waits)> _samples = new(Max);
    private TaskCompletionSource _next = New();
    private long _latestNumber;

    /// <summary>The number of the latest sample; 0 before there is any.</summary>
    public long LatestNumber => Interlocked.Read(ref _latestNumber);

    /// <summary>Adds a sample with its waits, and wakes who waits for it.</summary>
    public void Add(Sample sample, IReadOnlyList<SiteWaits> waits)
    {
        TaskCompletionSource next;
        lock (_gate)
        {
            if (_samples.Count == Max) _samples.Dequeue();
            _samples.Enqueue((sample, waits));
            Interlocked.Exchange(ref _latestNumber, sample.Number);
            (next, _next) = (_next, New());
        }

        next.SetResult();
    }

    /// <summary>The samples after a number, as far as they are there, the oldest first.</summary>
    public IReadOnlyList<Sample> After(long number)
    {
        lock (_gate) return [.. _samples.Where(entry => entry.Sample.Number > number).Select(entry => entry.Sample)];
    }

    /// <summary>Waits by site, summed over the latest samples, and the time that those took.</summary>
    /// <param name="samples">How many.</param>
    public (double Seconds, IReadOnlyList<SiteWaits> Sites) Waits(int samples)
    {
        (Sample Sample, IReadOnlyList<SiteWaits> Waits)[] latest;
        lock (_gate) latest = [.. _samples.Skip(_samples.Count - samples)];
        var sites = latest.SelectMany(entry => entry.Waits).GroupBy(site => (site.Type, site.Site, site.Target))
            .Select(
                site => new SiteWaits(
                    site.Key.Type,
                    site.Key.Site,
                    site.Key.Target,
                    site.Sum(one => one.Waits),
                    site.Sum(one => one.Aborted),
                    site.Sum(one => one.Seconds)))
            .OrderByDescending(site => site.Seconds);
        return (latest.Sum(entry => entry.Sample.Seconds), [.. sites]);
    }

    /// <summary>Completes when there is a sample after a number.</summary>
    public async Task WaitAsync(long number, CancellationToken cancellationToken)
    {
        while (true)
        {
            Task next;
            lock (_gate)
            {
                if (LatestNumber > number) return;
                next = _next.Task;
            }

            await next.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
