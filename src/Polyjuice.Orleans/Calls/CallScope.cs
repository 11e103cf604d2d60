using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// What is ambient while code of a transaction runs: the frame
/// of its call, and the grain that it belongs to. Immutable.
/// </summary>
internal sealed class CallScope(SiloEngine engine, CallFrame frame, IGrainContext? grain)
{
    private static readonly AsyncLocal<CallScope?> s_current = new();

    /// <summary>The ambient one.</summary>
    public static CallScope? Current
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>The engine that the frame is of.</summary>
    public SiloEngine Engine { get; } = engine;

    /// <summary>The call's frame; on the engine's turn only.</summary>
    public CallFrame Frame { get; } = frame;

    /// <summary>The grain; none for transactions that a client has started.</summary>
    public IGrainContext? Grain { get; } = grain;

    /// <summary>
    /// Whether the code has asked for an abort without an exception (<c>RunTransaction</c>'s delegate returned false).
    /// </summary>
    public bool IsDeclined { get; set; }
}
