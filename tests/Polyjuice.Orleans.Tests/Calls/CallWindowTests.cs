using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallWindowTests
{
    private const long RememberedFor = 1_000;

    [Fact]
    public void The_first_call_of_a_number_may_run_and_the_second_waits_for_its_end()
    {
        var window = new CallWindow(7, 0, RememberedFor);
        Assert.Null(window.Take(7, 0));
        var first = window.Take(7, 0);
        Assert.False(first!.IsCompleted);
        Assert.Same(first, window.Take(7, 0));

        window.End(7);

        Assert.True(first.IsCompletedSuccessfully);
        Assert.True(window.Take(7, 0)!.IsCompletedSuccessfully);
        Assert.Null(window.Take(8, 0));
    }

    [Fact]
    public void What_was_refused_may_come_again_and_who_has_waited_for_it_is_told()
    {
        var window = new CallWindow(7, 0, RememberedFor);
        Assert.Null(window.Take(7, 0));
        var copy = window.Take(7, 0);

        window.End(7, mayComeAgain: true);

        Assert.True(copy!.IsCompletedSuccessfully);
        Assert.Null(window.Take(7, 0));
        Assert.False(window.Take(7, 0)!.IsCompleted);
    }

    [Fact]
    public void Numbers_come_in_any_order()
    {
        var window = new CallWindow(500, 0, RememberedFor);
        Assert.All(new long[] { 500, 3, 900, 499, 501 }, number => Assert.Null(window.Take(number, 0)));
        Assert.All(new long[] { 500, 3, 900, 499, 501 }, number => Assert.NotNull(window.Take(number, 0)));
        Assert.Null(window.Take(4, 0));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100)]
    public void What_has_just_come_is_remembered_however_many_come(int step)
    {
        var window = new CallWindow(1, 0, RememberedFor);
        var numbers = Enumerable.Range(0, 20_000).Select(i => 1L + (i * step)).ToArray();
        foreach (var number in numbers)
        {
            Assert.Null(window.Take(number, 0));
            window.End(number);
        }

        // All came in no time, so there is room for all, up to the most.
        var remembered = numbers.Where(number => number > numbers[^1] - CallWindow.NumbersMax).ToArray();
        Assert.All(remembered, number => Assert.True(window.Take(number, 0)!.IsCompletedSuccessfully));
        Assert.True(window.Numbers <= CallWindow.NumbersMax);
    }

    [Fact]
    public void It_does_not_grow_for_what_need_not_be_remembered()
    {
        var window = new CallWindow(1, 0, RememberedFor);
        var before = window.Numbers;
        for (var number = 1L; number <= 20L * before; number++) Assert.Null(window.Take(number, number * 2));
        Assert.Equal(before, window.Numbers);
        Assert.NotNull(window.Take((20L * before) - before + 1, long.MaxValue));

        // Older ones may run: nobody knows any more.
        Assert.Null(window.Take((20L * before) - before, long.MaxValue));
    }

    [Fact]
    public void An_old_number_does_not_disturb_newer_ones()
    {
        var window = new CallWindow(10_000, 0, RememberedFor);
        Assert.Null(window.Take(10_000, 0));
        Assert.Null(window.Take(1, 0));
        window.End(1);
        Assert.False(window.Take(10_000, 0)!.IsCompleted);
    }
}
