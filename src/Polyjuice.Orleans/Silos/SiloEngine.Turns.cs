using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Execution;

namespace Polyjuice.Orleans.Silos;

// Turns of grains that run one call at a time: who has them, and who waits for them. On the engine's turn.
internal sealed partial class SiloEngine
{
    private readonly Dictionary<GrainId, ActivationTurn> _turns = [];
    private long _callKeys;
    private int _turnsMade;

    /// <summary>Tells a call from all others of the cluster. Any thread.</summary>
    public Guid NextCallKey()
    {
        Span<long> halves = [Node.Value, Interlocked.Increment(ref _callKeys)];
        return new(System.Runtime.InteropServices.MemoryMarshal.AsBytes(halves));
    }

    /// <summary>A grain's turn, if anybody has it or waits for it.</summary>
    public ActivationTurn? FindTurn(GrainId grain) => _turns.GetValueOrDefault(grain);

    /// <summary>The same, whether or not anybody does.</summary>
    public ActivationTurn TurnOf(GrainId grain)
    {
        if (FindTurn(grain) is { } known) return known;

        // Of a grain whose calls never came to their turn nobody says so.
        if (++_turnsMade % 1_024 == 0)
        {
            foreach (var (idle, _) in _turns.Where(static entry => entry.Value.IsIdle).ToArray()) _turns.Remove(idle);
        }

        return _turns[grain] = new ActivationTurn(Engine);
    }

    /// <summary>A call within a transaction begins.</summary>
    /// <param name="grain">Where it runs.</param>
    /// <param name="frame">In which frame.</param>
    /// <param name="key">The call's.</param>
    /// <param name="isReadOnly">Whether Orleans lets other such calls in beside it.</param>
    public TurnHold Hold(GrainId grain, CallFrame frame, Guid key, bool isReadOnly)
    {
        var hold = TurnOf(grain).Hold(key, isReadOnly);
        hold.Run(frame);
        return hold;
    }

    /// <summary>It has returned.</summary>
    public void Release(GrainId grain, TurnHold hold)
    {
        hold.Release();
        if (FindTurn(grain) is { IsIdle: true }) _turns.Remove(grain);
    }

    /// <summary>Another silo's call waits for a grain that may be here. Any thread.</summary>
    public TurnAnswer AwaitTurn(GrainId grain, Guid key, bool isReadOnly, bool mayBeLetIn, byte[] wait)
    {
        if (_life.Running is null) return TurnAnswer.None;
        using (Turn.Enter()) return FindTurn(grain)?.Await(wait, key, isReadOnly, mayBeLetIn) ?? TurnAnswer.None;
    }

    /// <summary>
    /// Has Orleans look again whom of those who wait it may let into a grain that is here. Any thread.
    /// </summary>
    public void Wake(GrainId grain)
    {
        using (ExecutionContext.SuppressFlow())
            Task.Run(() => Grains().GetGrain(grain).AsReference<IGrainLoading>().Load()).Ignore();

        IGrainFactory Grains() => _silo.Grains;
    }
}
