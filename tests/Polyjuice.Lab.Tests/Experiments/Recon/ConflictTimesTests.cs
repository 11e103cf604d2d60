using Polyjuice.Contracts;
using Polyjuice.Lab.Experiments.Recon;

namespace Polyjuice.Lab.Tests.Experiments.Recon;

/// <summary>What is put down of how long reservations are held: a part of them stands for all.</summary>
public class ConflictTimesTests
{
    private static readonly ParticipantKey _hot = new("record/1", "record", "Record");
    private static readonly ParticipantKey _other = new("record/2", "record", "Record");

    [Fact]
    public void Of_the_grain_that_is_held_most_often_the_time_and_the_share_of_what_that_allows_are_told()
    {
        using var times = new ConflictTimes();
        times.Start();

        // Every sixth, as a transfer's reservations come: a part that
        // is taken at intervals would see some of them only.
        for (var i = 0; i < 60_000; i++) times.Held(i % 6 == 0 ? _other : _hot, i % 6 == 0 ? 1_000 : 100);
        var figures = new Dictionary<string, double>();
        times.AddTo(figures, TimeSpan.FromSeconds(10));
        Assert.Equal(0.1, figures["hold ms"], 6);
        Assert.Equal(0.1, figures["hold p99 ms"], 2);
        Assert.Equal(10_000, figures["1/hold"], 6);
        Assert.InRange(figures["of 1/hold"], 0.47, 0.53);
    }

    [Fact]
    public void One_long_time_among_many_short_ones_is_not_missed()
    {
        using var times = new ConflictTimes();
        times.Start();
        for (var i = 0; i < 10_000; i++) times.Held(_hot, 10);
        times.Held(_hot, 50_000);
        var figures = new Dictionary<string, double>();
        times.AddTo(figures, TimeSpan.FromSeconds(0.15));
        Assert.Equal(0.015, figures["hold ms"], 3);
        Assert.InRange(figures["of 1/hold"], 0.93, 1.07);
    }

    [Fact]
    public void What_comes_while_nobody_counts_does_not_count()
    {
        using var times = new ConflictTimes();
        times.Start();
        times.Stop();
        for (var i = 0; i < 1_000; i++)
        {
            times.Held(_hot, 100);
            times.Sealed(100);
        }

        var figures = new Dictionary<string, double>();
        times.AddTo(figures, TimeSpan.FromSeconds(1));
        Assert.Equal(0, figures["span p99 ms"]);
        Assert.False(figures.ContainsKey("hold ms"));
    }
}
