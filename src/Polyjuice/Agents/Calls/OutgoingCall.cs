using System.Buffers;
using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>A grain call that a frame has made and whose answer it has not seen yet.</summary>
internal sealed class OutgoingCall : DistantCall
{
    private CallFrame? _callee;
    private bool _isDone;
    private bool _hasReport;
    private Action? _doomed;

    internal OutgoingCall(CallFrame caller, int position)
    {
        Caller = caller;
        Position = position;
    }

    internal CallFrame Caller { get; }

    /// <summary>Tells it from all other calls of this node, once it was told to go to another one; 0 before.</summary>
    public long Id { get; internal set; }

    /// <summary>The attempt that it is part of.</summary>
    public TransactionId TransactionId => Caller.TransactionId;

    /// <summary>Whether it was completed or failed.</summary>
    public bool IsDone => _isDone;

    /// <summary>Whether the callee has run here and ended, or its report has come from where it has.</summary>
    public bool HasReturned => _hasReport || _callee is { HasExited: true };

    /// <summary>
    /// The callee is on another silo: what must travel with the call (then
    /// <see cref="Engine.TransactionEngine.EnterRemoteCall"/> there).
    /// </summary>
    /// <param name="destination">The node that it goes to.</param>
    /// <param name="output">Where to.</param>
    public void WriteToken(NodeId destination, IBufferWriter<byte> output) =>
        Caller.Engine.Calls.Tokens.Write(this, destination, output);

    /// <summary>
    /// The call waits for the turn of an activation on another silo: what that silo's <see cref="ActivationTurn"/> must
    /// know.
    /// </summary>
    /// <param name="output">Where to.</param>
    public void WriteTurnWait(IBufferWriter<byte> output) => Caller.Engine.Calls.TurnWaits.Write(this, output);

    /// <summary>Where it waits has been found out: whoever looks for a cycle goes on there.</summary>
    public void NoteDestination(NodeId node)
    {
        if (!_isDone && Id != 0) Destination = node;
    }

    /// <summary>
    /// Asks to be told when the transaction can't commit any more, if the call is not over by then: nobody need wait
    /// for its answer from then on.
    /// </summary>
    /// <param name="doomed">Called once, on the turn.</param>
    public void OnDoom(Action doomed)
    {
        if (_isDone) return;
        if (Caller.Transaction.IsDoomed || Caller.Transaction.IsEnded)
        {
            doomed();
            return;
        }

        _doomed = doomed;
        (Caller.Transaction.Queued ??= []).Add(this);
    }

    /// <summary>A transaction can't commit any more.</summary>
    internal static void Doomed(LocalTransaction transaction)
    {
        if (transaction.Queued is not { Count: > 0 } queued) return;
        transaction.Queued = null;
        foreach (var call in queued) ((OutgoingCall)call)._doomed!();
    }

    /// <summary>The callee is on this silo: the frame that its body runs in.</summary>
    public CallFrame EnterLocal(GrainMethod method)
    {
        var transaction = Caller.Transaction;
        SignsOfLife.Note(transaction, Caller.Engine.Context);
        return _callee = new CallFrame(
            Caller.Engine, transaction, Caller.Path.Child(method), Caller, null, Caller.Position);
    }

    /// <summary>The local callee's frame has exited and its answer is seen.</summary>
    public void Complete()
    {
        if (_isDone) return;
        End();
        Caller.Returned(this, _callee?.Position ?? Caller.Position);
    }

    /// <summary>The remote callee's answer came, with this report.</summary>
    public void Complete(ReadOnlySpan<byte> report)
    {
        if (_isDone) return;
        _hasReport = true;
        End();
        Caller.Returned(this, Caller.Engine.Calls.Reports.Read(Caller, report));
    }

    /// <summary>
    /// No answer will be seen (time-out, dead silo, unserialisable
    /// answer): the transaction cannot commit, but may be retried.
    /// </summary>
    /// <param name="cause">What its caller hears if all attempts end in this way.</param>
    public void Fail(Exception? cause = null) => Lose(AbortReason.ParticipantLost, cause);

    /// <summary>
    /// The call has failed before its callee could take part, by what the application has brought along (a call filter,
    /// arguments that can't be read, an activation that throws), or what the callee has answered does not reach its
    /// caller for such a reason: the transaction cannot commit, and would fail again.
    /// </summary>
    public void Refuse() => Lose(AbortReason.UserException);

    private void Lose(AbortReason reason, Exception? cause = null)
    {
        if (Caller.Generation == Caller.Transaction.Generation)
        {
            if (Caller.Transaction.Agent is { } agent) agent.Failure ??= cause;
            Caller.Engine.Lifecycle.Doom(Caller.Transaction, reason, null);
        }

        if (_isDone) return;
        End();
        Caller.Returned(this, Caller.Position);
    }

    private void End()
    {
        _isDone = true;
        SignsOfLife.Note(Caller.Transaction, Caller.Engine.Context);
        if (Id != 0) Caller.Transaction.RemoteCalls?.Remove(this);
        if (_doomed is not null) Caller.Transaction.Queued?.Remove(this);
    }
}
