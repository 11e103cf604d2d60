using Polyjuice.LiveView.Measuring;

namespace Polyjuice.LiveView.Tests.Measuring;

public sealed class SampleHistoryTests
{
    private readonly SampleHistory _history = new();

    [Fact]
    public void The_oldest_go_when_ten_minutes_are_full()
    {
        for (var i = 0; i < SampleHistory.Max + 5; i++) Add();
        var samples = _history.After(0);
        Assert.Equal(
            (SampleHistory.Max, 6, SampleHistory.Max + 5), (samples.Count, samples[0].Number, samples[^1].Number));
        Assert.Equal(
            [SampleHistory.Max + 4, SampleHistory.Max + 5],
            _history.After(SampleHistory.Max + 3).Select(sample => sample.Number));
    }

    [Fact]
    public void Waits_are_summed_over_the_latest_samples()
    {
        Add(new SiteWaits("Pay", "a", "Pay", 1, 0, 100));
        Add(new SiteWaits("Pay", "a", "Pay", 1, 0, 1), new SiteWaits("Pay", "b", "Pay", 1, 1, 2));
        Add(new SiteWaits("Pay", "a", "Pay", 1, 0, 3));
        var (seconds, sites) = _history.Waits(2);
        Assert.Equal(2, seconds);
        Assert.Equal([new SiteWaits("Pay", "a", "Pay", 2, 0, 4), new SiteWaits("Pay", "b", "Pay", 1, 1, 2)], sites);
    }

    [Fact]
    public async Task Who_waits_for_the_next_sample_is_woken_by_it()
    {
        Add();
        var waiting = _history.WaitAsync(1, CancellationToken.None);
        Assert.False(waiting.IsCompleted);
        Add();
        await waiting.WaitAsync(TimeSpan.FromMinutes(2));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _history.WaitAsync(2, new CancellationToken(canceled: true)));
    }

    private void Add(params SiteWaits[] waits) =>
        _history.Add(new Tally().ToSample(_history.LatestNumber + 1, default, 1, 1), waits);
}
