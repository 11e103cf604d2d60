using Polyjuice.Diagnostics;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Diagnostics;

public sealed class EngineInspectionTests
{
    [Fact]
    public void A_policy_is_described_with_a_row_for_every_site_that_was_seen()
    {
        var rig = new EngineRig(BuiltinPolicies.Get("ic3"));
        rig.Commit("Move", async frame => await rig.Add(frame, 0, 1, 1));
        var inspection = new EngineInspection(rig.Node.Policies);
        var described = inspection.Describe(inspection.Policies[^1].Policy)!;
        Assert.Equal("ic3", described.Name);
        Assert.Equal("IRoot.Move", Assert.Single(described.Find("Move")!.Rows).Site.Split(' ')[0]);
    }

    [Fact]
    public void A_policy_that_is_not_made_of_a_document_has_no_description()
    {
        var rig = new EngineRig(new FixedPolicy("own", PolicyActions.None));
        Assert.Null(new EngineInspection(rig.Node.Policies).Describe(rig.Node.Policies.History[0].Policy));
    }

    [Fact]
    public void Engines_begin_to_report_conflicts_when_they_are_asked()
    {
        var rig = new EngineRig();
        var inspection = new EngineInspection(rig.Node.Policies);
        Assert.Empty(inspection.Conflicts());
        rig.Node.Turn(() => rig.Node.Engine.Conflicts.Tick(0));
        rig.Node.Turn(() => rig.Node.Engine.Conflicts.Tick(ConflictWatch.Interval));
        var (node, report) = Assert.Single(inspection.Conflicts());
        Assert.Equal(rig.Node.Id, node);
        Assert.Empty(report.Grains);
    }
}
