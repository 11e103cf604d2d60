namespace Polyjuice.Isolation.Tests.Graph;

public class ClosedWalkTests
{
    [Fact]
    public void A_loop_is_cut_off_where_no_anti_dependencies_meet()
    {
        // 1 is entered by rw and left by ww, then entered by wr and
        // left by rw: the outer part alone would have rw after rw.
        var walk = Walk((0, 1, 'a'), (1, 2, 'w'), (2, 3, 'a'), (3, 1, 'w'), (1, 4, 'a'), (4, 0, 'w'));
        Assert.Equal(Walk((1, 2, 'w'), (2, 3, 'a'), (3, 1, 'w')), ClosedWalk.Simplify(walk));
    }

    [Fact]
    public void A_walk_that_visits_every_node_once_stays_as_it_is()
    {
        var walk = Walk((0, 1, 'a'), (1, 2, 'w'), (2, 3, 'a'), (3, 0, 'w'));
        Assert.Equal(walk, ClosedWalk.Simplify(walk));
    }

    private static List<(int From, int To, DependencyKind Kind, int Key)> Walk(
        params (int From, int To, char Kind)[] edges) =>
        [.. edges.Select(e => (e.From, e.To, e.Kind == 'a' ? DependencyKind.ReadWrite : DependencyKind.WriteWrite, 0))];
}
