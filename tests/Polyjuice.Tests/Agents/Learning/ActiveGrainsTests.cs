using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Learning;

/// <summary>What an agent remembers of grains that others said were active.</summary>
public class ActiveGrainsTests
{
    private const long Half = ActiveGrains.Lasting / 2;

    private readonly ActiveGrains _grains = new();

    public ActiveGrainsTests() => _grains.Begin(view: 1, now: 1);

    [Fact]
    public void A_grain_is_active_for_as_long_as_that_is_believed_and_less_than_twice_as_long()
    {
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
        _grains.Add("a", now: 1);
        _grains.Begin(view: 1, now: 1 + ActiveGrains.Lasting);
        _grains.Add("a", now: 1 + ActiveGrains.Lasting);
        _grains.Begin(view: 1, now: 1 + (2 * ActiveGrains.Lasting));
        Assert.True(_grains.Contains("a"));
    }

    [Theory]
    [InlineData(1, 1 + (2 * ActiveGrains.Lasting))]
    [InlineData(2, 2)]
    public void All_is_forgotten_after_a_long_time_without_a_question_and_when_a_log_has_another_owner(
        ulong view, long now)
    {
        _grains.Add("a", now: 1);
        _grains.Begin(view, now);
        Assert.False(_grains.Contains("a"));
    }

    [Fact]
    public void No_more_is_remembered_than_two_generations_hold_and_the_latest_stay()
    {
        for (var i = 0; i <= 2 * ActiveGrains.Max; i++) _grains.Add($"grain/{i}", now: 2);
        Assert.False(_grains.Contains("grain/0"));
        Assert.True(_grains.Contains($"grain/{ActiveGrains.Max}"));
        Assert.True(_grains.Contains($"grain/{2 * ActiveGrains.Max}"));
    }
}
