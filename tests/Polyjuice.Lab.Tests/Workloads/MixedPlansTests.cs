using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Mixed;

namespace Polyjuice.Lab.Tests.Workloads;

public class MixedPlansTests
{
    private const int Plans = 5_000;

    [Fact]
    public void Every_kind_of_call_is_drawn()
    {
        Assert.Equal(
            Enum.GetValues<MixedCall>(), Draw(MixedWorkload.WithTurns).Select(plan => plan.Kind).Distinct().Order());
        Assert.DoesNotContain(MixedCall.Closed, Draw(MixedWorkload.Definition).Select(plan => plan.Kind));
        Assert.Equal(Enum.GetValues<MixedCall>().Length, MixedWorkload.WithTurns.OperationTypes.Count);
    }

    [Fact]
    public void Money_is_moved_and_never_made() =>
        Assert.All(
            Draw(MixedWorkload.WithTurns), plan => Assert.Equal(0, plan.Root.Accesses().Sum(access => access.Amount)));

    [Fact]
    public void No_mark_is_left_twice()
    {
        var marks = Draw(MixedWorkload.WithTurns).SelectMany(plan => plan.Root.Accesses()).Select(access => access.Mark)
            .Where(mark => mark != 0).ToArray();

        Assert.Equal(marks.Length, marks.Distinct().Count());
    }

    [Fact]
    public void Steps_that_are_made_at_once_access_nothing_twice() =>
        Assert.All(
            Draw(MixedWorkload.WithTurns).SelectMany(plan => Calls(plan.Root)).Where(call => call.IsParallel),
            call => Assert.Equal(
                call.Accesses().Count(), call.Accesses().DistinctBy(access => (access.Cell, access.Part)).Count()));

    // Two that call each other wait for each other's turns, and one that is called back waits for its own.
    [Fact]
    public void A_cell_that_takes_one_call_at_a_time_calls_none_of_its_kind_that_comes_before_it() =>
        Assert.All(
            Draw(MixedWorkload.WithTurns).SelectMany(plan => Calls(plan.Root)).Where(call => Cells.IsClosed(call.Cell)),
            call => Assert.All(
                Called(call),
                cell => Assert.True(
                    !Cells.IsClosed(cell) || string.CompareOrdinal(cell, call.Cell) > 0, $"{call.Cell} calls {cell}")));

    [Fact]
    public void What_is_declared_to_read_only_does() =>
        Assert.All(
            Draw(MixedWorkload.Definition).Where(plan => plan.Kind == MixedCall.ReadOnly),
            plan => Assert.All(plan.Root.Accesses(), access => Assert.Equal((0, 0), (access.Mark, access.Amount))));

    [Fact]
    public void What_is_learned_follows_from_arguments_as_a_rule()
    {
        var plans = Draw(MixedWorkload.WithTurns).Where(plan => plan.Kind == MixedCall.Learned).ToArray();

        Assert.All(plans, plan => Assert.Equal(plan.Root.Cell, plan.Root.Steps[0].Cell));
        Assert.All(plans, plan => Assert.All(plan.Root.Steps, step => Assert.False(Cells.IsClosed(step.Cell))));
        Assert.InRange(plans.Count(plan => plan.Root.Steps.Length > 2), 1, plans.Length / 20);
    }

    private static MixedPlan[] Draw(WorkloadDefinition definition)
    {
        var workload = (MixedWorkload)definition.Create(new WorkloadParameters(12));
        var plans = new MixedPlans(workload, new ZipfianGenerator(12, 0.8, 1), new BenchmarkRandom(3));
        return [.. Enumerable.Range(0, Plans).Select(_ => plans.Next())];
    }

    private static IEnumerable<CellStep> Calls(CellStep step) =>
        step.IsCall ? step.Steps.SelectMany(Calls).Append(step) : [];

    // An access of the own cell is no call.
    private static IEnumerable<string> Called(CellStep call) =>
        call.Steps.SelectMany(
            step => step.IsCall
                ? Calls(step).SelectMany(Called).Append(step.Cell)
                : step.Cell == call.Cell ? [] : [step.Cell]);
}
