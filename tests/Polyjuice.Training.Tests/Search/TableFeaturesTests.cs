using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public class TableFeaturesTests
{
    private static readonly TableSpace s_space = new(
        ReplayWorkload.Of(SyntheticTraces.Micro(types: 1, cold: 0), 2),
        BuiltinPolicies.Get("ic3").Document,
        [BuiltinPolicies.Get("cormcc").Document]);

    [Fact]
    public void Ordered_cells_are_one_number_and_others_one_for_each_choice()
    {
        var features = new TableFeatures(s_space);

        // Version, visibility, early validation; holders; heat, of which there is one; the wait; six multipliers.
        Assert.Equal(3 + TableSpace.Holders.Count + 1 + 1 + 6, features.Count);
        float[] holders = [0, 0, 0, 0, 1, 0, 0];
        Assert.Equal(
            [1, 0, 1, .. holders, 1, 2, 0, 1, 2, 3, 4, 0],
            features.Of(new Candidate([1, 0, 1, 4, 1, 2, 0, 1, 2, 3, 4, 0])));
    }
}
