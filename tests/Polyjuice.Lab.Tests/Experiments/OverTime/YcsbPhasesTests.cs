using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Ycsb;

namespace Polyjuice.Lab.Tests.Experiments.OverTime;

public class YcsbPhasesTests
{
    [Fact]
    public void The_same_seed_gives_the_same_phases_and_the_first_is_the_papers()
    {
        var phases = YcsbPhases.Draw(8, 1);
        Assert.Equal(8, phases.Count);
        Assert.Equal(phases.Select(phase => phase.Text), YcsbPhases.Draw(8, 1).Select(phase => phase.Text));
        Assert.NotEqual(phases.Select(phase => phase.Text), YcsbPhases.Draw(8, 2).Select(phase => phase.Text));
        Assert.Equal("80% reads, 15 operations, θ 0", phases[0].Text);
    }

    [Fact]
    public void A_phase_that_begins_is_what_clients_do()
    {
        var workload = (YcsbWorkload)YcsbWorkload.Definition.Create(new WorkloadParameters(64));
        YcsbPhases.Draw(1, 1)[0].Begin(workload);
        Assert.Equal(("80% reads", 15, 0), (workload.Phase.Mix.Name, workload.Phase.Operations, workload.Phase.Theta));
    }
}
