using Polyjuice.Reconnaissance;

namespace Polyjuice.Tests.Reconnaissance;

/// <summary>What an agent remembers of grains that others said were active.</summary>
public class ActiveGrainsTests
{
    private const long Half = ActiveGrains.Lasting / 2;

    private readonly ActiveGrains _grains = new();

    [Fact]
    public void A_grain_is_active_for_as_long_as_that_is_believed_and_less_than_twice_as_long()
    {
        _grains.Begin(view: 1, now: 1);
        _grains.Add("a", now: Half);
        _grains.Begin(view: 1, now: Half + ActiveGrains.Lasting - 1);
        Assert.True(_grains.Contains("a"));
        Assert.False(_grains.Contains("b"));
        _grains.Begin(view: 1, now: Half + (2 * ActiveGrains.Lasting));
        Assert.False(_grains.Contains("a"));
    }

    [Fact]
    public void What_is_said_again_lasts_longer()
    {
        _grains.Begin(view: 1, now: 1);
        _grains.Add("a", now: 1);
        _grains.Begin(view: 1, now: 1 + ActiveGrains.Lasting);
        _grains.Add("a", now: 1 + ActiveGrains.Lasting);
        _grains.Begin(view: 1, now: 1 + (2 * ActiveGrains.Lasting));
        Assert.True(_grains.Contains("a"));
    }

    [Fact]
    public void Nothing_is_believed_after_a_long_time_without_a_question()
    {
        _grains.Begin(view: 1, now: 1);
        _grains.Add("a", now: 1);
        _grains.Begin(view: 1, now: 1 + (2 * ActiveGrains.Lasting));
        Assert.False(_grains.Contains("a"));
    }

    [Fact]
    public void All_is_forgotten_when_a_log_has_another_owner()
    {
        _grains.Begin(view: 1, now: 1);
        _grains.Add("a", now: 1);
        _grains.Begin(view: 2, now: 2);
        Assert.False(_grains.Contains("a"));
    }

    [Fact]
    public void No_more_is_remembered_than_two_generations_hold_and_the_latest_stay()
    {
        _grains.Begin(view: 1, now: 1);
        for (var i = 0; i <= 2 * ActiveGrains.Max; i++) _grains.Add($"grain/{i}", now: 2);
        Assert.False(_grains.Contains("grain/0"));
        Assert.True(_grains.Contains($"grain/{ActiveGrains.Max}"));
        Assert.True(_grains.Contains($"grain/{2 * ActiveGrains.Max}"));
    }
}
