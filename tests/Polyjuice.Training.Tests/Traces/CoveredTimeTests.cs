using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Traces;

public sealed class CoveredTimeTests
{
    private const long Second = 1_000_000;

    [Fact]
    public void The_last_silo_to_begin_begins_the_trace_and_the_first_to_end_ends_it() => Assert.Equal(
        [new RecordedSpan(120, 5 * Second)],
        CoveredTime.Of([Cover((100, 5 * Second)), Cover((120, (5 * Second) + 30))], (Second, Second)));

    [Fact]
    public void A_silo_that_joins_or_leaves_later_does_not_shorten_it() => Assert.Equal(
        [new RecordedSpan(0, 20 * Second)],
        CoveredTime.Of([Cover((0, 20 * Second)), Cover((5 * Second, 12 * Second))], (Second, Second)));

    [Fact]
    public void A_gap_of_one_silo_is_a_gap_of_all() => Assert.Equal(
        [new RecordedSpan(0, 10), new RecordedSpan(30, 40), new RecordedSpan(50, 100)],
        CoveredTime.Of([Cover((0, 10), (25, 100)), Cover((0, 20), (30, 40), (50, 100))], (Second, Second)));

    [Fact]
    public void Between_windows_is_no_time() => Assert.Equal(
        [new RecordedSpan(1_100, 1_200), new RecordedSpan(2_000, 2_200), new RecordedSpan(3_000, 3_050)],
        CoveredTime.Of([Cover((1_100, 3_050))], (1_000, 200)));

    [Fact]
    public void Nothing_covers_nothing() => Assert.Empty(CoveredTime.Of([], (Second, Second)));

    private static SiloCover Cover(params (long From, long Until)[] spans)
    {
        var cover = new SiloCover();
        cover.Spans.AddRange(spans.Select(span => new RecordedSpan(span.From, span.Until)));
        return cover;
    }
}
