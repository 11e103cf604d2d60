using Polyjuice.Training.Conflicts;

namespace Polyjuice.Training.Tests.Conflicts;

public class ConflictGraphTests
{
    /// <summary>Of 70 transactions.</summary>
    private const double Others = 69;

    private static readonly ConflictGraph s_graph = ConflictGraph.Of(ShopTrace.Workload());

    [Fact]
    public void Sites_meet_as_often_as_other_transactions_come_to_the_same_participant()
    {
        Assert.Equal(34 / Others, s_graph.Rivals(ShopTrace.OrderDistrict, ShopTrace.OrderDistrict), 12);
        Assert.Equal(35 / Others, s_graph.Rivals(ShopTrace.OrderDistrict, ShopTrace.PayDistrict), 12);
        Assert.Equal(35 / Others, s_graph.Rivals(ShopTrace.PayDistrict, ShopTrace.OrderDistrict), 12);

        // Seven orders update each stock: each finds six others.
        Assert.Equal(6 / Others, s_graph.Rivals(ShopTrace.OrderStock, ShopTrace.OrderStock), 12);
    }

    [Fact]
    public void Two_reads_do_not_conflict() => Assert.Equal(0, s_graph.Rivals(ShopTrace.PayRate, ShopTrace.PayRate));

    [Fact]
    public void Nobody_conflicts_with_himself_and_what_is_held_out_is_not_looked_at() =>
        Assert.Equal(0, s_graph.Rivals(ShopTrace.PayCustomer, ShopTrace.PayCustomer));

    [Fact]
    public void Sites_of_different_states_do_not_conflict() =>
        Assert.Equal(0, s_graph.Rivals(ShopTrace.OrderDistrict, ShopTrace.OrderStock));

    [Fact]
    public void Sites_are_in_the_catalogues_order() => Assert.Equal(
        [
            ShopTrace.OrderDistrict, ShopTrace.OrderStock, ShopTrace.PayRate, ShopTrace.PayCustomer,
            ShopTrace.PayDistrict
        ],
        s_graph.Sites);
}
