using Orleans.Core.Internal;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Turns;

/// <summary>
/// The turn of a grain that runs one call at a time, while it runs one that has started a transaction. The call keeps
/// it through all attempts, so an attempt that has lost a cycle through it lets the winner in before the next one runs.
/// In the grain's turn.
/// </summary>
internal sealed class RootTurn(SiloEngine engine, IGrainContext grain, bool isReadOnly)
{
    private ActivationTurn? _turn;
    private TurnHold? _hold;

    /// <summary>Before an attempt's body runs.</summary>
    /// <exception cref="Exception">The attempt has ended meanwhile.</exception>
    public async ValueTask BeginAsync(CallFrame frame)
    {
        while (true)
        {
            Guid next;
            using (engine.Turn.Enter())
            {
                _turn ??= engine.GrainTurns.Of(grain.GrainId);
                next = _hold is null ? Guid.Empty : _turn.NextToLetIn(_hold, frame);
                if (frame.IsDoomed) throw frame.Refusal();
                if (next == Guid.Empty)
                {
                    _hold ??= _turn.Hold(Guid.Empty, isReadOnly);
                    _hold.Run(frame);
                    return;
                }
            }

            await LetInAsync(frame, next);
        }
    }

    /// <summary>When there will be no other attempt.</summary>
    public async ValueTask EndAsync()
    {
        if (_hold is not { } hold) return;
        bool isAlone;
        using (engine.Turn.Enter()) isAlone = _turn!.IsHeldOnlyBy(hold);

        // Orleans lets the next call in when this one has returned, whatever it has let in before.
        if (!isAlone) await engine.Turn.RunAsync(() => _turn.OthersGone(hold));
        using (engine.Turn.Enter()) engine.GrainTurns.Release(grain.GrainId, hold);
    }

    private async Task LetInAsync(CallFrame frame, Guid key)
    {
        var section = grain as ICallChainReentrantGrainContext;
        section?.OnEnterReentrantSection(key);
        try
        {
            engine.Loads.Wake(grain.GrainId);
            await engine.Turn.RunAsync(() => _turn!.LetInAsync(_hold!, frame, key));
        }
        finally
        {
            section?.OnExitReentrantSection(key);
        }
    }
}
