using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>How many calls a process sends before one of them is answered.</summary>
public sealed class UnansweredLimitTests
{
    private readonly UnansweredLimit _limit = new();

    [Fact]
    public void It_doubles_in_a_round_trip_until_an_answer_is_marked()
    {
        Answer(UnansweredLimit.First, isMarked: false);

        Assert.Equal(2 * UnansweredLimit.First, _limit.Value);
    }

    // At first it is the limit itself that holds calls up.
    [Fact]
    public void Nothing_is_refused_at_once_before_an_answer_is_marked()
    {
        Answer(1_000, isMarked: false);
        Assert.False(_limit.MayRefuse);

        Answer(1, isMarked: true);
        Assert.True(_limit.MayRefuse);

        _limit.Rest(0);
        Assert.False(_limit.MayRefuse);
    }

    [Fact]
    public void It_stays_while_fewer_are_unanswered_than_may_be()
    {
        for (var answers = 0; answers < 10_000; answers++) _limit.Answered(_limit.Value - 1, hasWaited: false);

        Assert.Equal(UnansweredLimit.First, _limit.Value);
    }

    [Fact]
    public void Marks_lower_it_by_a_sixteenth_in_a_round_trip_and_not_to_nothing()
    {
        Answer(UnansweredLimit.First, isMarked: true);
        Assert.Equal(UnansweredLimit.First * 15 / 16, _limit.Value);

        Answer(100_000, isMarked: true);

        Assert.Equal(UnansweredLimit.Least, _limit.Value);
    }

    [Fact]
    public void It_stays_where_half_of_the_answers_are_marked()
    {
        for (var answers = 0; answers < 10_000; answers++) Answer(1, isMarked: answers % 2 == 0);

        Assert.InRange(_limit.Value, UnansweredLimit.First - 1, UnansweredLimit.First);
    }

    [Fact]
    public void After_a_mark_it_rises_by_a_sixteenth_in_a_round_trip()
    {
        Answer(1, isMarked: true);

        Answer(UnansweredLimit.First, isMarked: false);

        Assert.InRange(_limit.Value, (UnansweredLimit.First * 17 / 16) - 1, UnansweredLimit.First * 17 / 16);
    }

    // What is unanswered may wait for a call that is held.
    [Fact]
    public void It_rises_while_no_answer_comes()
    {
        for (var looks = 0; looks < 1_000; looks++) _limit.Adapt(_limit.Value, perSecond: 0, ended: 0);

        Assert.True(_limit.Value > 10 * UnansweredLimit.First);
    }

    [Fact]
    public void It_does_not_rise_so_while_answers_come()
    {
        for (var looks = 0; looks < 1_000; looks++)
        {
            _limit.Adapt(_limit.Value, perSecond: 0, ended: 0);
            if (looks % 10 == 0) Answer(1, isMarked: true);
        }

        Assert.True(_limit.Value < UnansweredLimit.First);
    }

    [Fact]
    public void After_a_rest_it_begins_anew_but_not_above_what_was_found_to_be_too_much()
    {
        Answer(10 * UnansweredLimit.First, isMarked: false);
        _limit.Rest(UnansweredLimit.First);
        Assert.Equal(11 * UnansweredLimit.First, _limit.Value);

        _limit.Rest(UnansweredLimit.First - 1);
        Assert.Equal(UnansweredLimit.First, _limit.Value);

        Answer(16 * 56, isMarked: true);
        _limit.Rest(0);
        Assert.Equal(200, _limit.Value);
        Answer(200, isMarked: false);
        Assert.Equal(400, _limit.Value);
    }

    private void Answer(int times, bool isMarked)
    {
        for (var time = 0; time < times; time++) _limit.Answered(_limit.Value, isMarked);
    }
}
