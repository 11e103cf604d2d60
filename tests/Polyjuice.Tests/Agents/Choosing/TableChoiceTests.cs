using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Tests.Agents.Choosing;

public class TableChoiceTests
{
    private readonly TableChoice _choice = new(Windows.ThatPrefer(second: 0.05, third: -0.05));

    // Commits in a window under each table.
    private int[] _rates = [100, 100, 100];

    [Fact]
    public void Without_conflicts_the_first_table_stays()
    {
        Assert.Empty(Run(windows: 500, met: 2));
        Assert.Equal((0, ChoiceReason.First), (_choice.Current, _choice.Reason));
    }

    [Fact]
    public void In_conflict_tables_are_tried_in_the_order_of_the_guesses_and_the_best_one_stays()
    {
        _rates = [100, 120, 150];
        Assert.Equal([1, 2], Run(windows: 30, met: 20));
        Assert.Equal(2, _choice.Current);
    }

    [Fact]
    public void The_table_in_force_comes_back_if_no_other_makes_more()
    {
        _rates = [100, 95, 103];
        Assert.Equal([1, 2, 0], Run(windows: 30, met: 20));
        Assert.Equal((0, ChoiceReason.Won), (_choice.Current, _choice.Reason));
    }

    [Fact]
    public void What_is_guessed_to_make_a_good_deal_less_than_the_best_is_tried_only_in_later_races()
    {
        var choice = new TableChoice(Windows.ThatPrefer(second: 0.2, third: -0.6));
        var tried = Enumerable.Range(0, 300).First(_ =>
        {
            choice.Note(Windows.Of(100, met: 20), Windows.Length, nodes: 1);
            return choice.Current == 2;
        });
        Assert.InRange(tried, 128, 150);
    }

    [Fact]
    public void A_table_that_is_far_behind_is_given_up_after_one_window_that_counts()
    {
        _rates = [100, 30, 100];
        var inForce = 0;
        for (var window = 0; window < 30; window++)
        {
            Feed(met: 20);
            if (_choice.Current == 1) inForce++;
        }

        Assert.Equal(2, inForce);
    }

    [Fact]
    public void The_first_window_under_another_table_does_not_count()
    {
        _rates = [100, 150, 100];
        Feed(met: 20);
        Assert.Equal(1, _choice.Current);
        _choice.Note(Windows.Of(5, met: 20), Windows.Length, nodes: 1);
        Run(windows: 20, met: 20);
        Assert.Equal(1, _choice.Current);
    }

    [Fact]
    public void A_race_that_changes_nothing_is_run_again_ever_less_often()
    {
        _rates = [100, 80, 80];
        var begun = new List<int>();
        for (var window = 0; window < 4_000; window++)
        {
            var before = _choice.Current;
            Feed(met: 20);
            if (before == 0 && _choice.Current != 0) begun.Add(window);
        }

        Assert.InRange(begun.Count, 4, 6);
        var pauses = begun.Zip(begun.Skip(1), static (one, next) => next - one).ToList();
        Assert.Equal(pauses.Order(), pauses);
        Assert.True(pauses[^1] > 1.5 * pauses[0]);
    }

    [Theory]
    [InlineData(20, 90, 4)]
    [InlineData(20, 50, 12)]
    [InlineData(80, 50, 4)]
    public void A_shift_is_found_in_its_first_window_and_followed_by_a_race(int met, int updates, int accesses)
    {
        Run(windows: 20, met: 2);
        Assert.False(_choice.Note(Windows.Of(100, met, updates, accesses), Windows.Length, nodes: 1));
        Assert.True(_choice.HasShifted);
        Assert.True(_choice.Note(Windows.Of(100, met, updates, accesses), Windows.Length, nodes: 1));
        Assert.Equal((1, ChoiceReason.Tried), (_choice.Current, _choice.Reason));
        Assert.False(_choice.HasShifted);
    }

    [Fact]
    public void A_shift_ends_the_race_that_was_under_way_and_begins_another_one()
    {
        Feed(met: 20);
        Assert.Equal(1, _choice.Current);
        _choice.Note(Windows.Of(100, met: 20, updates: 95), Windows.Length, nodes: 1);
        Assert.True(_choice.HasShifted);
        _choice.Note(Windows.Of(100, met: 20, updates: 95), Windows.Length, nodes: 1);
        Assert.NotEqual(1, _choice.Current);
    }

    [Fact]
    public void A_load_that_grows_within_bounds_is_no_shift()
    {
        Run(windows: 20, met: 2);
        for (var commits = 100; commits < 190; commits += 10)
        {
            _choice.Note(Windows.Of(commits, met: 2), Windows.Length, nodes: 1);
            Assert.False(_choice.HasShifted);
        }
    }

    [Fact]
    public void What_another_node_says_ends_a_race()
    {
        Feed(met: 20);
        Assert.Equal(ChoiceReason.Tried, _choice.Reason);
        _choice.Assume(2);
        Assert.Equal((2, ChoiceReason.Told), (_choice.Current, _choice.Reason));
    }

    /// <summary>The tables that have come into force, one after the other.</summary>
    private List<int> Run(int windows, int met)
    {
        var changes = new List<int>();
        for (var window = 0; window < windows; window++)
        {
            if (Feed(met)) changes.Add(_choice.Current);
        }

        return changes;
    }

    private bool Feed(int met) => _choice.Note(Windows.Of(_rates[_choice.Current], met), Windows.Length, nodes: 1);
}
