using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Tests.Protocol;

/// <summary>
/// I4: grain calls and engine messages travel by different ways, so
/// a call may arrive after the word that its attempt was given up.
/// </summary>
public sealed class LateCallTests
{
    [Fact]
    public void A_call_of_an_attempt_that_was_given_up_waits_for_nobody()
    {
        var s = new Scenario(ProtocolBreaks.None, PolicyActions.WaitForHolders);
        var (node, gate) = (s.FirstOwner(0), new Gate());

        // An older transaction of the same agent, so that "older than all
        // that live" does not tell the owner that the attempt is over.
        var older = s.Start(s.Agent, new TransactionSpec("Older", Step.Sequence(Step.Update(1), Step.Wait(gate))));
        var holder = s.Start(
            s.OtherAgent, new TransactionSpec("Holder", Step.Sequence(Step.Update(0), Step.Wait(gate))));
        s.Until(() => gate.Arrivals == 2, "both hold their accounts");

        var calls = s.Wire.Hold(m => m.IsCall && m.To == node.Id && m.From == s.Agent.Id);
        var late = s.Start(s.Agent, Scenario.Once(Scenario.Updates("Late", 0)));
        s.Until(late);
        s.Require(late.Outcome == Outcome.Aborted, "its call has got no answer, and it was given up");
        s.Run(10_000);

        var before = node.Engine.Statistics.Waits;
        calls.Release();
        s.Run(10_000);
        Assert.Equal(before, node.Engine.Statistics.Waits);

        gate.Open();
        s.Until(older, holder);
        s.Judge();
    }
}
