using System.Buffers;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

/// <summary>A grain call that a frame has made and whose answer it has not seen yet.</summary>
public sealed partial class OutgoingCall
{
    private CallFrame? _callee;
    private bool _isDone;

    internal OutgoingCall(CallFrame caller, int position)
    {
        Caller = caller;
        Position = position;
    }

    internal CallFrame Caller { get; }

    internal long Id { get; set; }

    /// <summary>Where the callee runs, once it was told to be another node.</summary>
    internal NodeId Destination { get; set; }

    /// <summary>Whether it was completed or failed.</summary>
    public bool IsDone => _isDone;

    /// <summary>How far the callee's subtree is known to have got.</summary>
    internal int Position { get; set; }

    /// <summary>The callee is on another silo: what must travel with the call (then <see cref="TransactionEngine.EnterRemoteCall"/> there).</summary>
    /// <param name="destination">The node that it goes to.</param>
    /// <param name="output">Where to.</param>
    public void WriteToken(NodeId destination, IBufferWriter<byte> output) => Caller.Engine.WriteToken(this, destination, output);

    /// <summary>The callee is on this silo: the frame that its body runs in.</summary>
    public CallFrame EnterLocal(GrainMethod method)
    {
        var transaction = Caller.Transaction;
        return _callee = new CallFrame(Caller.Engine, transaction, Caller.Path.Child(method), Caller, null, Caller.Position);
    }

    /// <summary>The local callee's frame has exited and its answer is seen.</summary>
    public void Complete()
    {
        if (_isDone) return;
        _isDone = true;
        Caller.Returned(this, _callee?.Position ?? Caller.Position);
    }

    /// <summary>The remote callee's answer came, with this report.</summary>
    public void Complete(ReadOnlySpan<byte> report)
    {
        if (_isDone) return;
        _isDone = true;
        Caller.Transaction.RemoteCalls?.Remove(this);
        Caller.Returned(this, Caller.Engine.ReadReport(Caller, report));
    }

    /// <summary>No answer will be seen (time-out, dead silo, unserialisable answer): the transaction cannot commit, but may be retried.</summary>
    public void Fail() => End(AbortReason.ParticipantLost);

    /// <summary>
    /// The call has failed before its callee could take part, by what the application has brought along (a call filter, arguments that can't be read, an activation that throws): the transaction cannot commit, and would fail again.
    /// </summary>
    public void Refuse() => End(AbortReason.UserException);

    private void End(AbortReason reason)
    {
        if (_isDone) return;
        _isDone = true;
        Caller.Transaction.RemoteCalls?.Remove(this);
        if (Caller.Generation == Caller.Transaction.Generation) Caller.Engine.Doom(Caller.Transaction, reason, null);
        Caller.Returned(this, Caller.Position);
    }
}
