using Polyjuice.Lab.Chaos;

namespace Polyjuice.Lab.Tests.Chaos;

public class ChaosCoverageTests
{
    [Fact]
    public void What_is_expected_and_never_happens_is_named()
    {
        var coverage = new ChaosCoverage();
        coverage.Expect("faults", "Crash", "Pause");
        coverage.Expect("tables", "occ");
        var run = new ChaosCoverage();
        run.Add("faults", "Crash", 3);
        run.Add("faults", "Leave");

        coverage.Add(run);

        Assert.Equal(["faults: Pause", "tables: occ"], coverage.Missing);
        Assert.Equal((3, 1), (coverage.Of("faults", "Crash"), coverage.Of("faults", "Leave")));
        Assert.Matches(@"Crash +3\r?$", Line(coverage, "Crash"));
        Assert.Matches("Pause +0  NEVER", Line(coverage, "Pause"));
    }

    private static string Line(ChaosCoverage coverage, string kind) =>
        coverage.ToString().Split(Environment.NewLine).Single(line => line.Contains(kind, StringComparison.Ordinal));
}
