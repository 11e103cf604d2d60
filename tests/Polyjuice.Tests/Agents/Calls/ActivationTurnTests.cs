using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents.Calls;

/// <summary>Turns of activations in the wait graph of one node.</summary>
public sealed class ActivationTurnTests
{
    private readonly EngineRig _rig = new();
    private readonly Gate _gate = new();

    [Fact]
    public void A_circle_of_turns_dooms_its_youngest_whose_call_is_given_up()
    {
        var (older, younger) = (Begin(), Begin());
        var (a, b) = (Turn(older), Turn(younger));
        Assert.Equal(TurnAnswer.Queued, b.Await(older.BeginCall(), Guid.NewGuid(), false, true));
        Assert.Equal(1, _rig.Node.Engine.Waits.Count);
        var call = younger.BeginCall();
        var isGivenUp = false;
        call.OnDoom(() => isGivenUp = true);

        Assert.Equal(TurnAnswer.Queued, a.Await(call, Guid.NewGuid(), false, true));

        Assert.Equal((false, true, true), (older.IsDoomed, younger.IsDoomed, isGivenUp));
        Assert.Equal(1, _rig.Node.Engine.Waits.Count);
        Assert.Equal(0, _rig.Statistics.WaitsEndedByDeadline);
    }

    [Fact]
    public void A_wait_passes_to_the_next_call_that_gets_the_turn_and_ends_with_its_own()
    {
        var (first, second, waiting) = (Begin(), Begin(), Begin());
        var turn = new ActivationTurn(_rig.Node.Engine);
        var hold = turn.Hold(Guid.Empty, isReadOnly: false);
        hold.Run(first);
        var key = Guid.NewGuid();
        turn.Await(waiting.BeginCall(), key, false, true);
        hold.Release();
        Assert.Equal(0, _rig.Node.Engine.Waits.Count);
        hold = turn.Hold(Guid.NewGuid(), isReadOnly: false);
        hold.Run(second);
        Assert.Equal(1, _rig.Node.Engine.Waits.Count);
        hold.Release();
        hold = turn.Hold(key, isReadOnly: false);
        hold.Run(waiting);
        Assert.Equal(0, _rig.Node.Engine.Waits.Count);
        hold.Release();
        Assert.True(turn.IsIdle);
    }

    [Fact]
    public void Calls_that_only_read_do_not_wait_for_each_other()
    {
        var (reader, other) = (Begin(), Begin());
        var turn = new ActivationTurn(_rig.Node.Engine);
        turn.Hold(Guid.Empty, isReadOnly: true).Run(reader);
        turn.Await(other.BeginCall(), Guid.NewGuid(), isReadOnly: true, mayBeLetIn: true);
        Assert.Equal(0, _rig.Node.Engine.Waits.Count);
    }

    [Fact]
    public void A_call_behind_a_call_of_its_own_transaction_is_behind_itself()
    {
        var frame = Begin();
        Assert.Equal(TurnAnswer.BehindItself, Turn(frame).Await(frame.BeginCall(), Guid.NewGuid(), false, true));
        Assert.Equal(0, _rig.Node.Engine.Waits.Count);
    }

    [Fact]
    public void Before_another_attempt_the_oldest_of_the_older_ones_is_let_in()
    {
        var (oldest, older, holder, younger) = (Begin(), Begin(), Begin(), Begin());
        var turn = new ActivationTurn(_rig.Node.Engine);
        var hold = turn.Hold(Guid.Empty, isReadOnly: false);
        hold.Run(holder);
        var key = Guid.NewGuid();
        turn.Await(younger.BeginCall(), Guid.NewGuid(), false, true);
        Assert.Equal(Guid.Empty, turn.NextToLetIn(hold, holder));
        turn.Await(older.BeginCall(), Guid.NewGuid(), false, true);
        turn.Await(oldest.BeginCall(), key, false, true);
        Assert.Equal(key, turn.NextToLetIn(hold, holder));
    }

    private ActivationTurn Turn(CallFrame holder)
    {
        var turn = new ActivationTurn(_rig.Node.Engine);
        turn.Hold(Guid.Empty, isReadOnly: false).Run(holder);
        return turn;
    }

    /// <summary>A transaction that runs; each is younger than those before.</summary>
    private CallFrame Begin()
    {
        CallFrame? begun = null;
        _rig.Start("T", Body, maxAttempts: 1);
        _rig.Until(() => begun is not null, "it must run");
        _rig.Cluster.Loop.RunFor(100);
        return begun!;

        Task Body(CallFrame frame)
        {
            begun = frame;
            return _gate.Arrive();
        }
    }
}
