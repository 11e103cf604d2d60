using System.Text.RegularExpressions;
using Polyjuice.Lab.Experiments;
using static Polyjuice.Lab.Tests.Experiments.TestResults;

namespace Polyjuice.Lab.Tests.Experiments;

public class HtmlReportTests
{
    private readonly string _html = HtmlReport.Write([
        Result(Point("p", "a", 1, 1234, spread: 10), Point("p", "a", 2, 5)),
        Result() with { Experiment = "other", IsSimulated = true, IsComplete = false }
    ]);

    [Fact]
    public void The_page_needs_no_other_file()
    {
        Assert.DoesNotMatch(new Regex("(src=|href=\"[^#]|url\\(|@import|<script)"), _html);
        Assert.Contains("prefers-color-scheme:dark", _html, StringComparison.Ordinal);
    }

    [Fact]
    public void Results_say_where_and_how_they_were_measured()
    {
        Assert.Contains("a machine; commit abc;", _html, StringComparison.Ordinal);
        Assert.Contains("seed 1", _html, StringComparison.Ordinal);
        Assert.Contains("<span class=\"tag\">simulated</span>", _html, StringComparison.Ordinal);
        Assert.Contains("Ended early", _html, StringComparison.Ordinal);
    }

    [Fact]
    public void Claims_are_told_apart_and_text_is_escaped()
    {
        Assert.Contains("<span class=\"good\">Holds:</span> it is good.", _html, StringComparison.Ordinal);
        Assert.Contains(
            "<span class=\"bad\">Does not hold:</span> it is &lt;fast&gt;.", _html, StringComparison.Ordinal);
        Assert.Contains("Something &lt;bold&gt;.", _html, StringComparison.Ordinal);
        Assert.Contains("1 claim(s) that do not hold", _html, StringComparison.Ordinal);
    }

    [Fact]
    public void Tables_have_the_medians_with_least_and_most() =>
        Assert.Contains(
            "<td>1,234 <span class=\"small\">(1,224 … 1,244)</span></td><td>5</td>", _html, StringComparison.Ordinal);

    [Fact]
    public void A_result_is_read_back_from_its_file_as_it_was()
    {
        var result = Result(Point("p", "a", 1, 1234, spread: 10));
        Assert.Equal(result.ToJson(), ExperimentResult.FromJson(result.ToJson()).ToJson());
        Assert.Equal(HtmlReport.Write([result]), HtmlReport.Write([ExperimentResult.FromJson(result.ToJson())]));
    }
}
