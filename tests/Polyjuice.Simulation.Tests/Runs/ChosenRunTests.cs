using Polyjuice.Policies;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Tests.Runs;

public class ChosenRunTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(7)]
    [InlineData(8)]
    public void A_run_with_faults_is_serializable_while_silos_choose_the_table(ulong seed) =>
        Assert.True(Simulator.Run(new RunCase { Seed = seed, Policy = BuiltinPolicies.Get("chosen") }).Committed > 50);
}
