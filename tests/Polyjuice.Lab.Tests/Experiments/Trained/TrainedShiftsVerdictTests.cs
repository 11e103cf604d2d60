using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.Trained;
using Polyjuice.Lab.Workloads.House;
using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Lab.Tests.Experiments.Trained;

public class TrainedShiftsVerdictTests
{
    private static readonly TrainedShiftsSettings s_settings = new() { Phases = [new HousePhase(80, 1, 0),
        new HousePhase(10, 1, 0.99)] };

    [Fact]
    public void Silos_that_are_nearly_as_good_as_a_table_for_each_phase_and_never_worse_than_before_hold_all()
    {
        var findings = Judge((900, 1_000, 100), (500, 500, 500));
        Assert.All(findings.Where(finding => finding.Holds is not null), finding => Assert.True(finding.Holds));
        Assert.Contains(
            "phase 1 (80% payments at 1 house, others θ 0): the silos' trainer makes 900/s from 120 s after the "
            + "shift on, 0.90 (95 %: 0.81 to 0.99) of what a table trained for each phase makes (1,000/s)",
            findings[0].Text, StringComparison.Ordinal);
        Assert.Contains("phase 2: 1 release(s) published, 0 taken back", findings[5].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_phase_below_either_is_named() =>
        Assert.Equal([true, true, false, false, true, true],
            Judge((900, 1_000, 100), (440, 500, 500)).Select(finding => finding.Holds).OfType<bool>());

    [Fact]
    public void Less_than_before_within_chance_is_not_less() =>
        Assert.All(Judge((490, 500, 500)).Where(finding => finding.Holds is not null),
            finding => Assert.True(finding.Holds));

    [Fact]
    public void A_failed_call_and_a_trainer_that_publishes_nothing_are_named() =>
        Assert.Equal([true, true, true, true, false, false],
            Judge(failed: 1, published: 0, (900, 1_000, 100), (500, 500, 500)).Select(finding => finding.Holds)
            .OfType<bool>());

    private static List<Finding> Judge(params (double Trainer, double Offline, double Began)[] phases) =>
        Judge(0, 1, phases);

    private static List<Finding> Judge(double failed, double published,
        params (double Trainer, double Offline, double Began)[] phases) =>
    [
        .. TrainedShiftsVerdict.Judge(
            [
                .. phases.SelectMany((phase, i) => (ExperimentPoint[])
                [
                    Point(TrainedShiftsVerdict.Trainer, i, [(TrainedShiftsVerdict.Rate, phase.Trainer),
                        (TrainedShiftsVerdict.Failed, failed), (TrainedShiftsVerdict.Published, published),
                        (TrainedShiftsVerdict.TakenBack, 0),
                        .. TrainedShiftsVerdict.OfBegan.Figures(Ratio(phase.Trainer / phase.Began)),
                        .. TrainedShiftsVerdict.OfOffline.Figures(Ratio(phase.Trainer / phase.Offline))]),
                    Point(TrainedShiftsVerdict.Offline, i, (TrainedShiftsVerdict.Rate, phase.Offline)),
                    Point(TrainedShiftsVerdict.Began, i, (TrainedShiftsVerdict.Rate, phase.Began)),
                ]),
            ],
            s_settings),
    ];

    private static RateRatio Ratio(double ratio) => new(ratio, 0.9 * ratio, 1.1 * ratio);

    private static ExperimentPoint Point(
        string series, int phase, params IEnumerable<(string Name, double Value)> figures) =>
        new(TrainedShiftsVerdict.ByPhase, series, phase
            + 1, figures.ToDictionary(figure => figure.Name, figure => Spread.Of([figure.Value])));
}
