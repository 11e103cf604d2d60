using Polyjuice.Partitions;
using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Faults;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Tests.Coverage;

public class FeatureSetTests
{
    [Fact]
    public void A_state_counts_once_with_the_step_where_it_was_first()
    {
        var features = new FeatureSet();
        var state = new ProtocolState(StateEvent.Arrived)
        {
            Kind = (int)MessageKind.Prepare, Branch = BranchState.Running
        };
        Assert.False(features.Contains(state));
        features.Reach(state, ProtocolStep.Of(MessageKind.Prepare), 3);
        features.Reach(state, ProtocolStep.Of(MessageKind.Prepare), 4);
        var feature = Assert.Single(features.Reached);
        Assert.Equal((ProtocolStep.Of(MessageKind.Prepare), 3), (feature.Step, feature.Nth));
        Assert.True(features.Contains(state));
        Assert.False(features.Contains(state with { Branch = BranchState.Ordered }));
    }

    [Fact]
    public void States_that_differ_in_anything_have_different_numbers()
    {
        var codes = new HashSet<ulong>();
        var count = 0;
        foreach (var what in Enum.GetValues<StateEvent>())
        {
            foreach (var state in Around(new ProtocolState(what)).SelectMany(Around).SelectMany(Around).Distinct())
            {
                count++;
                Assert.True(codes.Add(state.Code), $"{state}");
            }
        }

        Assert.True(count > 1_000);
    }

    private static IEnumerable<ProtocolState> Around(ProtocolState state) =>
    [
        state,
        .. new[] { 1, (int)MessageKind.GiveWay }.Select(kind => state with { Kind = kind }),
        .. new[]
        {
            MessageFlags.Committed, MessageFlags.Unknown, MessageFlags.Asks
        }.Select(says => state with { Says = state.Says | says }),
        state with { After = 1 + (int)MessageKind.GiveWay },
        .. Enum.GetValues<BranchState>().Select(branch => state with { Branch = branch }),
        .. Enum.GetValues<DecisionState>().Select(decision => state with { Decision = decision }),
        .. Enum.GetValues<AgentStanding>().Select(agent => state with { Agent = agent }),
        .. Enum.GetValues<EpochRelation>().Select(epoch => state with { ManagerEpoch = epoch }),
        state with { IsDeposed = true },
    ];
}
