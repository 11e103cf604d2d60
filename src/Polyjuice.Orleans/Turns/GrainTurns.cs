using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Turns;

/// <summary>
/// Turns of grains that run one call at a time: who has them, and who waits for them. On the engine's turn, where it
/// doesn't say otherwise.
/// </summary>
internal sealed class GrainTurns(EngineTurn turn, EngineLife life)
{
    private readonly Dictionary<GrainId, ActivationTurn> _turns = [];
    private int _made;

    /// <summary>A grain's turn, if anybody has it or waits for it.</summary>
    public ActivationTurn? Find(GrainId grain) => _turns.GetValueOrDefault(grain);

    /// <summary>The same, whether or not anybody does.</summary>
    public ActivationTurn Of(GrainId grain)
    {
        if (Find(grain) is { } known) return known;

        // Of a grain whose calls never came to their turn nobody says so.
        if (++_made % 1_024 == 0)
        {
            foreach (var (idle, _) in _turns.Where(static entry => entry.Value.IsIdle).ToArray()) _turns.Remove(idle);
        }

        return _turns[grain] = new ActivationTurn(life.Engine);
    }

    /// <summary>A call within a transaction begins.</summary>
    /// <param name="grain">Where it runs.</param>
    /// <param name="frame">In which frame.</param>
    /// <param name="key">The call's.</param>
    /// <param name="isReadOnly">Whether Orleans lets other such calls in beside it.</param>
    public TurnHold Hold(GrainId grain, CallFrame frame, Guid key, bool isReadOnly)
    {
        var hold = Of(grain).Hold(key, isReadOnly);
        hold.Run(frame);
        return hold;
    }

    /// <summary>It has returned.</summary>
    public void Release(GrainId grain, TurnHold hold)
    {
        hold.Release();
        if (Find(grain) is { IsIdle: true }) _turns.Remove(grain);
    }

    /// <summary>Another silo's call waits for a grain that may be here. Any thread.</summary>
    public TurnAnswer Await(GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, byte[] wait)
    {
        if (life.Running is null) return TurnAnswer.None;
        using (turn.Enter()) return Find(grain)?.Await(wait, key, isReadOnly, mayBeLetIn) ?? TurnAnswer.None;
    }
}
