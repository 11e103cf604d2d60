using System.Xml.Linq;
using Polyjuice.Lab.Experiments;
using static Polyjuice.Lab.Tests.Experiments.TestResults;

namespace Polyjuice.Lab.Tests.Experiments;

public class SvgPageTests
{
    [Fact]
    public void Curves_have_a_line_for_each_series_a_mark_for_each_point_and_a_bar_for_its_spread()
    {
        var svg = Draw(Point("p", "a<b", 1, 5, spread: 2), Point("p", "a<b", 10, 7), Point("p", "c", 1, 3));
        Assert.Equal(2, Named(svg, "polyline").Count());
        Assert.Equal(3, Named(svg, "circle").Count());
        Assert.Contains(Named(svg, "text"), text => text.Value == "a<b");
        Assert.Contains(Named(svg, "text"), text => text.Value == "clients");
    }

    [Fact]
    public void Bars_are_as_high_as_their_values_and_stand_side_by_side()
    {
        var bars = Named(Draw(Point("bars", "a", 1, 10), Point("bars", "b", 1, 5), Point("bars", "a", 4, 20)), "rect")
            .Skip(1).ToList();
        Assert.Equal(3, bars.Count);
        Assert.Equal(3, bars.Select(bar => bar.Attribute("x")!.Value).Distinct().Count());
        var heights = bars.OrderBy(bar => (double)bar.Attribute("height")!)
            .Select(bar => (double)bar.Attribute("height")!).ToList();
        Assert.Equal(2, heights[1] / heights[0], 0.02);
        Assert.Equal(2, heights[2] / heights[1], 0.02);
    }

    [Fact]
    public void Changes_over_time_are_marked_with_what_they_are()
    {
        var svg = Draw(Point("time", "a", 1, 5), Point("time", "a", 2, 5), Point("time", "a", 3, 6));
        Assert.Contains(Named(svg, "title"), title => title.Value == "to ic3");
        Assert.Empty(Named(svg, "circle"));
    }

    [Fact]
    public void Many_series_have_a_legend_of_several_rows_and_strokes_of_their_own()
    {
        var points = Enumerable.Range(0, 14).Select(i => Point("p", $"series number {i}", 1, i)).ToArray();
        var svg = Draw(points);
        Assert.Equal(
            14,
            Named(svg, "polyline")
                .Select(line => (line.Attribute("stroke")!.Value, line.Attribute("stroke-dasharray")?.Value)).Distinct()
                .Count());
        Assert.True((int)svg.Root!.Attribute("height")! > (int)Draw(points[..2]).Root!.Attribute("height")!);
    }

    [Fact]
    public void A_panel_without_the_figure_is_left_out_and_nothing_is_a_page_too()
    {
        Assert.Empty(Named(Draw(), "g"));
        var other = new ExperimentPoint("p", "a", 1, new Dictionary<string, Spread> { ["other"] = new(1, 1, 1) });
        Assert.Empty(Named(Draw(other), "g"));
    }

    [Theory]
    [InlineData(100, "0 50 100")]
    [InlineData(47, "0 20 40 60")]
    [InlineData(0.7, "0 0.2 0.4 0.6 0.8")]
    public void Ticks_are_round_and_reach_the_highest_value(double most, string expected) =>
        Assert.Equal(
            expected,
            string.Join(
                ' ',
                ChartScale.RoundTicks(most)
                    .Select(tick => tick.ToString("0.###", System.Globalization.CultureInfo.InvariantCulture))));

    private static XDocument Draw(params ExperimentPoint[] points)
    {
        var result = Result(points);
        return XDocument.Parse(SvgPage.Write(result.Points, result.Drawn, result.Panels));
    }

    private static IEnumerable<XElement> Named(XDocument svg, string name) =>
        svg.Descendants().Where(element => element.Name.LocalName == name);
}
