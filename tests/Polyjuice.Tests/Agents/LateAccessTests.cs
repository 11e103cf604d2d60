using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

/// <summary>What comes when its attempt has ended hears that, and not that somebody's owner has changed.</summary>
public sealed class LateAccessTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_update_after_its_body_has_ended_hears_that_and_changes_nothing(bool hasAccessedBefore)
    {
        var rig = new EngineRig();
        CallFrame? kept = null;
        rig.Commit("Early", async frame =>
        {
            kept = frame;
            if (hasAccessedBefore) await rig.Add(frame, 0, 1, 1);
        });

        var late = Task.CompletedTask;
        rig.Node.Turn(() => late = Late());

        var abort = EngineRig.AbortOf(late).Abort;
        Assert.Equal(AbortReason.AttemptEnded, abort.Reason);
        Assert.Contains("must await all that it begins", abort.Describe(), StringComparison.Ordinal);
        Assert.Equal(hasAccessedBefore ? [1] : [], rig.Read(0).Tokens);

        async Task Late() => await rig.Add(kept!, 0, 1, 2);
    }
}
