using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Tool.Experiments;
using Tpcc.Workload;

namespace Polyjuice.Lab.Tests.Catalogue;

public class TpccPhasesTests
{
    [Fact]
    public void The_same_seed_gives_the_same_phases_and_the_first_is_the_papers()
    {
        var phases = TpccPhases.Draw(4, 20, 1);
        Assert.Equal(20, phases.Count);
        Assert.Equal(phases.Select(phase => phase.Text), TpccPhases.Draw(4, 20, 1).Select(phase => phase.Text));
        Assert.NotEqual(phases.Select(phase => phase.Text), TpccPhases.Draw(4, 20, 2).Select(phase => phase.Text));
        Assert.Equal("the standard's mix, nothing across", phases[0].Text);
    }

    [Fact]
    public void Phases_stay_within_what_the_paper_varies()
    {
        var workload = (TpccWorkload)TpccWorkload.Definition.Create(new WorkloadParameters
        {
            Warehouses = 4, Scale = 0.001
        });
        var seen = new List<TpccPhase>();
        foreach (var phase in TpccPhases.Draw(4, 200, 1))
        {
            phase.Begin(workload);
            seen.Add(workload.Phase);
        }

        Assert.Equal(10, seen.Select(phase => phase.Mix.ToString()).Distinct().Count());
        Assert.Equal([0, 1, 2, 3, 4], seen.Select(phase => phase.RemoteWarehouses!.Value).Distinct().Order());
        Assert.Equal([0, 0.5, 1, 1.5], seen.Skip(1).Select(phase => phase.Theta!.Value).Distinct().Order());
        Assert.All(seen.Skip(1), phase => Assert.InRange(phase.RemotePercent, 50, 100));
    }
}
