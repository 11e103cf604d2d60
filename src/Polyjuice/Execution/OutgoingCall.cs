using System.Buffers;

namespace Polyjuice.Execution;

/// <summary>A grain call that a frame has made and whose answer it has not seen yet.</summary>
public sealed partial class OutgoingCall
{
    /// <summary>The callee is on another silo: what must travel with the call (then <see cref="TransactionEngine.EnterRemoteCall"/> there).</summary>
    public void WriteToken(IBufferWriter<byte> output) => throw null!;

    /// <summary>The callee is on this silo: the frame that its body runs in.</summary>
    public CallFrame EnterLocal(GrainMethod method) => throw null!;

    /// <summary>The local callee's frame has exited and its answer is seen.</summary>
    public void Complete() => throw null!;

    /// <summary>The remote callee's answer came, with this report.</summary>
    public void Complete(ReadOnlySpan<byte> report) => throw null!;

    /// <summary>No answer will be seen (time-out, dead silo, unserialisable answer): the transaction cannot commit, but may be retried.</summary>
    public void Fail() => throw null!;
}
