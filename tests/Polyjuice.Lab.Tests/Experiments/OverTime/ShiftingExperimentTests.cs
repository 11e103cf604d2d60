using Polyjuice.Lab.Experiments.OverTime;
using static Polyjuice.Lab.Tests.Experiments.TestResults;

namespace Polyjuice.Lab.Tests.Experiments.OverTime;

public class ShiftingExperimentTests
{
    [Fact]
    public void Each_phase_is_judged_by_itself_and_the_worst_is_named()
    {
        var findings = ShiftingExperiment.Judge(
            [
                Point("p", "cormcc", 0.5, 90),
                Point("p", "occ", 0.5, 100),
                Point("p", "locking", 0.5, 50),
                Point("p", "cormcc", 1.5, 80),
                Point("p", "occ", 1.5, 40),
                Point("p", "locking", 1.5, 100)
            ],
            TimeSpan.FromSeconds(1), YcsbPhases.Draw(2, 1)).Select(finding => finding.Text).ToList();
        Assert.Contains(
            "cormcc makes 90/s, the best of the others 100/s (occ), the worst 50/s", findings[0],
            StringComparison.Ordinal);
        Assert.Contains(
            "cormcc makes 80/s, the best of the others 100/s (locking), the worst 40/s", findings[1],
            StringComparison.Ordinal);
        Assert.Contains("In its worst phase, cormcc makes 80", findings[2], StringComparison.Ordinal);
    }

    [Fact]
    public void Tables_that_choose_are_each_compared_with_those_that_do_not()
    {
        var findings = ShiftingExperiment.Judge(
            [
                Point("p", "chosen", 0.5, 95),
                Point("p", "auto", 0.5, 20),
                Point("p", "occ", 0.5, 100),
                Point("p", "locking", 0.5, 50)
            ],
            TimeSpan.FromSeconds(1), YcsbPhases.Draw(1, 1)).Select(finding => finding.Text).ToList();
        Assert.Equal(4, findings.Count);
        Assert.Contains(
            "auto makes 20/s, the best of the others 100/s (occ), the worst 50/s", findings[0],
            StringComparison.Ordinal);
        Assert.Contains("In its worst phase, chosen makes 95", findings[3], StringComparison.Ordinal);
    }
}
