using System.Globalization;
using System.Xml.Linq;

namespace Polyjuice.Cli.Tests.Charts;

public sealed class SvgBarsTests
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void A_loss_lies_to_the_left_of_nothing_and_a_gain_to_the_right_as_long_as_they_are_large()
    {
        var svg =
            XDocument.Parse(
            SvgBars.Write("Worth", ["without", "alone"], [new("waits & more", [(-0.4, 0.02), (0.2, 0)])])).Root!;

        var bars = svg.Elements(s_svg + "rect").Where(rect => rect.Element(s_svg + "title") is not null).ToList();
        var nothing = Number(svg.Elements(s_svg + "line").First(), "x1");
        Assert.Equal(["-40.0% ±2.0%", "+20.0% ±0.0%"], bars.Select(bar => bar.Element(s_svg + "title")!.Value));
        Assert.Equal(nothing, Number(bars[0], "x") + Number(bars[0], "width"), 0.2);
        Assert.Equal(nothing, Number(bars[1], "x"), 0.2);
        Assert.Equal(2, Number(bars[0], "width") / Number(bars[1], "width"), 0.01);
        Assert.Contains(svg.Elements(s_svg + "text"), text => text.Value == "waits & more");
    }

    [Fact]
    public void Bars_that_are_all_nothing_can_be_drawn_and_none_cannot()
    {
        Assert.NotNull(XDocument.Parse(SvgBars.Write("Worth", ["without"], [new("waits", [(0, 0)])])).Root);
        Assert.Throws<ArgumentException>(() => SvgBars.Write("Worth", ["without"], []));
    }

    private static double Number(XElement element, string attribute) =>
        double.Parse(element.Attribute(attribute)!.Value, CultureInfo.InvariantCulture);
}
