using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Admission;

public sealed class LoadWindowTests
{
    private LoadWindow _window = new(start: 1_000, settling: 0, care: 1);

    // A burst, or what a garbage collection has held up, says nothing about the limit.
    [Fact]
    public void However_much_ends_it_takes_50_ms()
    {
        _window.Ended(commits: 10_000, conflicts: 0, now: 50_999, settlingMicroseconds: 0);
        Assert.False(_window.IsFull(now: 50_999));
        Assert.False(_window.IsQuiet(share: 0.1, now: 50_999));
        Assert.False(_window.IsFarBelow(rate: double.MaxValue, now: 50_999));
        Assert.True(_window.IsFull(now: 51_000));
        Assert.True(_window.IsQuiet(share: 0.1, now: 51_000));
        Assert.True(_window.IsFarBelow(rate: double.MaxValue, now: 51_000));
    }

    [Theory]
    [InlineData(95, 0, 1, false)]
    [InlineData(96, 0, 1, true)]
    [InlineData(191, 0, 2, false)]
    [InlineData(192, 0, 2, true)]
    public void It_takes_as_many_commits_as_care_asks_for(int commits, int conflicts, int care, bool isFull)
    {
        _window = new(start: 1_000, settling: 0, care);
        _window.Ended(commits, conflicts, now: 61_000, settlingMicroseconds: 0);
        Assert.Equal(isFull, _window.IsFull(now: 61_000));
    }

    [Theory]
    [InlineData(64, 191, false)]
    [InlineData(64, 192, true)]
    [InlineData(65, 192, false)]
    public void That_nearly_all_fail_is_known_sooner(int commits, int conflicts, bool isFull)
    {
        _window = new(start: 1_000, settling: 0, care: 16);
        _window.Ended(commits, conflicts, now: 61_000, settlingMicroseconds: 0);
        Assert.Equal(isFull, _window.IsFull(now: 61_000));
    }

    [Theory]
    [InlineData(19, 0, false)]
    [InlineData(20, 0, true)]
    [InlineData(37, 1, false)]
    [InlineData(38, 1, true)]
    [InlineData(86, 9, false)]
    [InlineData(87, 9, true)]
    public void That_conflicts_are_few_is_known_as_soon_as_it_is_likely(int commits, int conflicts, bool isQuiet)
    {
        _window.Ended(commits, conflicts, now: 61_000, settlingMicroseconds: 0);
        Assert.Equal(isQuiet, _window.IsQuiet(share: 0.1, now: 61_000));
    }

    [Fact]
    public void Where_little_ends_400_ms_will_do()
    {
        _window = new(start: 1_000, settling: 0, care: 16);
        _window.Ended(commits: 32, conflicts: 0, now: 400_999, settlingMicroseconds: 0);
        Assert.False(_window.IsFull(now: 400_999));
        Assert.True(_window.IsFull(now: 401_000));
    }

    [Fact]
    public void The_time_for_which_the_process_stands_still_does_not_count()
    {
        _window.Ended(commits: 100, conflicts: 0, now: 2_000, settlingMicroseconds: 0);
        _window.Stalled(from: 11_000, to: 91_000);
        Assert.Equal(100 / 0.020, _window.RateAt(now: 101_000), 6);
        Assert.False(_window.IsFull(now: 130_999));
        Assert.True(_window.IsFull(now: 131_000));
    }

    [Fact]
    public void A_standstill_from_before_it_is_not_its_own()
    {
        _window.Ended(commits: 100, conflicts: 0, now: 2_000, settlingMicroseconds: 0);
        _window.Stalled(from: 999, to: 91_000);
        Assert.Equal(100 / 0.1, _window.RateAt(now: 101_000), 6);
    }

    [Fact]
    public void What_ran_under_the_limit_before_does_not_count_and_its_time_does_not_either()
    {
        _window = new(start: 1_000, settling: 20, care: 1);
        _window.Ended(commits: 10, conflicts: 9, now: 30_000, settlingMicroseconds: 0);
        _window.Ended(commits: 0, conflicts: 1, now: 40_000, settlingMicroseconds: 0);
        Assert.Equal((0, 0), (_window.Attempts, _window.Share));
        _window.Ended(commits: 75, conflicts: 25, now: 90_000, settlingMicroseconds: 0);
        Assert.Equal((100, 0.25), (_window.Attempts, _window.Share));
        Assert.Equal(75 / 0.05, _window.RateAt(now: 90_000), 6);
    }

    [Fact]
    public void What_ends_before_all_silos_have_heard_of_the_limit_does_not_count()
    {
        _window.Ended(commits: 100, conflicts: 100, now: 10_999, settlingMicroseconds: 10_000);
        Assert.Equal(0, _window.Attempts);
        _window.Ended(commits: 100, conflicts: 0, now: 11_000, settlingMicroseconds: 10_000);
        Assert.Equal((100, 0), (_window.Attempts, _window.Share));
    }
}
