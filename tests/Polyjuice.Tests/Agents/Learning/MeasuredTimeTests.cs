using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Learning;

/// <summary>How long a transaction takes, by Little's law.</summary>
public class MeasuredTimeTests
{
    private MeasuredTime _time;

    [Fact]
    public void It_is_the_open_time_of_each_that_committed()
    {
        _time.Add(MeasuredTime.Of(commits: 10, open: 2_000));
        Assert.Equal(200, Math.Exp(_time.Mean), precision: 6);
        Assert.Equal(0, _time.VarianceOfMean);
    }

    [Fact]
    public void Mean_and_variance_are_those_of_the_windows_logarithms()
    {
        double[] times = [100, 200, 400, 50];
        foreach (var time in times) _time.Add(MeasuredTime.Of(commits: 10, open: (long)(10 * time)));
        var mean = times.Average(Math.Log);
        Assert.Equal(mean, _time.Mean, precision: 9);
        Assert.Equal(times.Sum(time => Math.Pow(Math.Log(time) - mean, 2)) / 4 / 3, _time.VarianceOfMean, precision: 9);
    }

    [Fact]
    public void What_is_long_ago_is_forgotten()
    {
        for (var i = 0; i < 100; i++) _time.Add(MeasuredTime.Of(commits: 1, open: 1_000));
        for (var i = 0; i < 100; i++) _time.Add(MeasuredTime.Of(commits: 1, open: 10));
        Assert.InRange(Math.Exp(_time.Mean), 10, 11);
    }

    [Fact]
    public void Where_nothing_commits_it_is_longer_than_anything_was_open()
    {
        _time.Add(MeasuredTime.Of(commits: 0, open: 1_000));
        Assert.Equal(2_000, Math.Exp(_time.Mean), precision: 6);
    }
}
