using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Tests.Faults;

public class AimedFaultsTests
{
    private static readonly RunCase s_quiet = new() { Seed = 2, Shape = Shapes.Standard, Faults = FaultKinds.None };

    [Theory]
    [InlineData("loss@Prepare#2x3", FaultKinds.Loss, 3)]
    [InlineData("duplication@Vote#1", FaultKinds.Duplication, 1)]
    [InlineData("delay@Outcome#1x2", FaultKinds.Delay, 2)]
    [InlineData("loss@Call#5", FaultKinds.Loss, 1)]
    [InlineData("error-before-write@log.Prepare#3", FaultKinds.ErrorBeforeWrite, 1)]
    [InlineData("error-after-write@log.Prepare#3x2", FaultKinds.ErrorAfterWrite, 2)]
    [InlineData("late-write@log.Commit#1", FaultKinds.LateWrite, 1)]
    [InlineData("slow-storage@log.Commit#1", FaultKinds.SlowStorage, 1)]
    [InlineData("silo-crash@Prepare#2", FaultKinds.Crash, 1)]
    [InlineData("silo-crash@log.Prepare#2", FaultKinds.Crash, 1)]
    [InlineData("rival-owner@Prepare#2", FaultKinds.RivalOwner, 1)]
    [InlineData("rival-owner@log.Commit#2", FaultKinds.RivalOwner, 1)]
    [InlineData("outage@Vote#4", FaultKinds.Outage, 1)]
    internal void A_fault_strikes_where_it_is_aimed_and_nothing_else_goes_wrong(string aim, FaultKinds kind, long times)
    {
        var faults = Simulator.Run(s_quiet with { Aims = [Aim.Parse(aim)] }).Faults;
        Assert.Equal((times, times), (faults[kind], faults.Total));
    }

    [Fact]
    public void A_rate_strikes_again_and_again() =>
        Assert.InRange(
            Simulator.Run(s_quiet with { Aims = [Aim.Parse("delay@Vote%50")] }).Faults[FaultKinds.Delay],
            10,
            long.MaxValue);

    [Fact]
    public void Until_the_first_aim_strikes_a_run_is_the_same_as_without()
    {
        var without = Simulator.Run(s_quiet);
        Assert.Equal(
            without.Digest, Simulator.Run(s_quiet with { Aims = [Aim.Parse("silo-crash@Prepare#1000000")] }).Digest);
        Assert.NotEqual(
            without.Digest, Simulator.Run(s_quiet with { Aims = [Aim.Parse("silo-crash@Prepare#2")] }).Digest);
    }

    [Fact]
    public void A_budget_of_faults_holds_for_aims_too() =>
        Assert.Equal(
            2, Simulator.Run(s_quiet with { Aims = [Aim.Parse("delay@Vote%50")], FaultBudget = 2 }).Faults.Total);

    [Fact]
    public void Crashes_come_right_after_a_message_was_handled_and_right_after_a_record_was_written()
    {
        var coverage = new ProtocolCoverage();
        for (var seed = 1UL; seed <= 40; seed++)
            coverage.Add(
                Simulator.Run(new RunCase { Seed = seed, Shape = Shapes.Aimed, Faults = FaultKinds.Crash }).Coverage);
        Assert.Contains(coverage.ByMessage, m => m.Kind == nameof(MessageKind.Prepare) && m.Unhandled > 0);
        Assert.Contains(coverage.ByRecord, r => r.Kind == nameof(LogRecordKind.Prepare) && r.Unheard > 0);
    }
}
