using System.Buffers;

namespace Polyjuice.Execution;

/// <summary>
/// One grain call inside a transaction, on the silo that runs it. The host makes it ambient while the call's body runs, so that
/// the call's transactional states and its own outgoing calls find it. Used on the engine's turn only.
/// </summary>
public sealed partial class CallFrame
{
    /// <summary>Announces a call that the body makes now. Every one must be completed or failed.</summary>
    public OutgoingCall BeginCall() => throw null!;

    /// <summary>The body has ended. Exactly once, before the answer goes out.</summary>
    /// <param name="exception">What it threw, or <see langword="null"/>. A user's exception dooms the transaction even if a caller catches it.</param>
    public void Exit(Exception? exception) => throw null!;

    /// <summary>After <see cref="Exit"/>: what a remote caller's silo must learn with the answer.</summary>
    public void WriteReport(IBufferWriter<byte> output) => throw null!;
}
