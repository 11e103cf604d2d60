using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Admission;

public sealed class TypeConflictsTests
{
    private TypeConflicts _type;

    [Fact]
    public void A_type_is_contended_when_conflicts_abort_half_the_target_and_more()
    {
        Assert.False(End(640, every: 30));
        Assert.True(End(640, every: 8));
    }

    [Fact]
    public void It_stays_so_until_there_are_hardly_any()
    {
        Assert.True(End(640, every: 4));
        Assert.True(End(640, every: 40));
        Assert.False(End(640, every: 640));
    }

    [Fact]
    public void Each_change_is_said_once()
    {
        var changes = 0;
        for (var i = 0; i < 640; i++)
            changes += _type.Ended(isConflict: true, target: 0.1, mayBeReleased: true) ? 1 : 0;
        Assert.Equal(1, changes);
        for (var i = 0; i < 1_280; i++)
            changes += _type.Ended(isConflict: false, target: 0.1, mayBeReleased: true) ? 1 : 0;
        Assert.Equal(2, changes);
    }

    private bool End(int attempts, int every)
    {
        for (var i = 0; i < attempts; i++) _type.Ended(i % every == 0, target: 0.1, mayBeReleased: true);
        return _type.IsContended;
    }
}
