using System.Buffers;
using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// One grain call inside a transaction, on the silo that runs it. The host makes it ambient while the call's body runs,
/// so that the call's transactional states and its own outgoing calls find it. Used on the engine's turn only.
/// </summary>
internal sealed class CallFrame : RunningCall, IAmbientCall
{
    private int _outstanding;
    private int _waiting;
    private bool _hasExited;

    internal CallFrame(
        EngineParts engine, LocalTransaction transaction, PathNode path, CallFrame? parent, RemoteCaller? caller,
        int position)
    {
        Engine = engine;
        Transaction = transaction;
        Path = path;
        Parent = parent;
        Caller = caller;
        Position = position;
        Generation = checked((ushort)transaction.Generation);
        if (transaction.Policy.IsWatched(transaction.TypeId)) (transaction.Frames ??= []).Add(this);
    }

    /// <summary>The attempt's identity, for logs.</summary>
    public TransactionId TransactionId => Transaction.Id;

    /// <summary>The transaction's type.</summary>
    public string TransactionType => Transaction.Type;

    /// <summary>Whether the transaction was declared read-only.</summary>
    public bool IsReadOnly => Transaction.IsReadOnly;

    /// <summary>Whether this is a dry run: what it writes is dropped, and another run follows.</summary>
    public bool IsReconnaissance => Transaction.IsDryRun;

    /// <summary>Whether the attempt can't commit any more; its next access will throw.</summary>
    public bool IsDoomed => Transaction.IsDoomed;

    /// <summary>
    /// When the transaction's first attempt began, in microseconds on its host's clock. The same in all of its
    /// frames. Any thread.
    /// </summary>
    public long BeganMicroseconds => Transaction.FirstAttempt >> HybridClock.LogicalBits;

    /// <summary>
    /// The number that the call has at its caller's node (<see cref="OutgoingCall.Id"/>), if that is another one;
    /// otherwise 0.
    /// </summary>
    public long RemoteCallId => Caller?.CallId ?? 0;

    /// <summary>
    /// The activity of the attempt, if its agent is here and somebody listens to the source <c>Polyjuice</c>. It is
    /// ambient when <see cref="ITransactionBody.RunAsync"/> is called; a host that runs the body elsewhere makes it so
    /// there. On the engine's turn.
    /// </summary>
    public Activity? Activity => Engine.Spans.Of(Transaction)?.Activity;

    internal EngineParts Engine { get; }

    internal LocalTransaction Transaction { get; }

    internal PathNode Path { get; }

    internal CallFrame? Parent { get; }

    /// <summary>Who called, when that is another node.</summary>
    internal RemoteCaller? Caller { get; }

    /// <summary>
    /// Of the transaction's runs of its body. Few (<see cref="EarlyValidation"/> bounds resumes), and small so that it
    /// shares a slot: one frame is allocated per call.
    /// </summary>
    internal ushort Generation { get; }

    internal bool HasExited => _hasExited;

    internal override bool IsLeaf => _outstanding == 0;

    /// <summary>Announces a call that the body makes now. Every one must be completed or failed.</summary>
    /// <exception cref="Exception">
    /// What the host's factory makes of a doomed attempt; it must reach the root.
    /// </exception>
    /// <exception cref="InvalidOperationException">The body has already ended: the call is an orphan.</exception>
    public OutgoingCall BeginCall()
    {
        if (_hasExited)
        {
            Engine.Lifecycle.Doom(Transaction, AbortReason.OrphanCall, null);
            throw new InvalidOperationException("A grain method of a transaction made a call after it had returned.");
        }

        if (Transaction.IsDoomed) throw Engine.Exceptions.DoomException(Transaction);
        if (_outstanding++ > 0 || _waiting > 0) Engine.Parallel.NoteParallel(Transaction);
        return new OutgoingCall(this, Position);
    }

    /// <summary>The body has ended. Exactly once, before the answer goes out.</summary>
    /// <param name="exception">
    /// What it threw, or <see langword="null"/>. A user's exception dooms the transaction even if a caller catches it.
    /// </param>
    public void Exit(Exception? exception)
    {
        if (_hasExited) throw new InvalidOperationException("A frame exits once.");
        _hasExited = true;
        Transaction.Frames?.Remove(this);
        if (Generation != Transaction.Generation) return;
        if (_outstanding > 0 || _waiting > 0)
        {
            // An orphan still runs: a doom that came first must not let the body be resumed beside it.
            Engine.Parallel.NoteParallel(Transaction);
            Engine.Lifecycle.Doom(Transaction, AbortReason.OrphanCall, null);
        }

        if (exception is not null) Engine.Lifecycle.Doom(Transaction, AbortReason.UserException, null);
        if (Parent is null && Caller is null) return;
        Parent?.Advance(Position);
        Engine.Lifecycle.ForgetIfIdle(Transaction);
    }

    /// <summary>What an access would throw now that the attempt can't commit any more.</summary>
    public Exception Refusal() => Engine.Exceptions.DoomException(Transaction);

    /// <summary>
    /// Ends the attempt as if its wait had reached its deadline: for hosts where a wait holds something that others
    /// need, and that the engine knows nothing of. Does nothing when the attempt is over.
    /// </summary>
    public void GiveUpWaiting() => Engine.Lifecycle.Doom(Transaction, AbortReason.WaitDeadline, null);

    /// <summary>After <see cref="Exit"/>: what a remote caller's silo must learn with the answer.</summary>
    public void WriteReport(IBufferWriter<byte> output) => Engine.Calls.Reports.Write(this, output);

    /// <summary>
    /// The frame of the same call of a remote caller, which the host runs once more, after <see cref="Exit"/> of this
    /// one.
    /// </summary>
    public CallFrame Again() => new(Engine, Transaction, Path, Parent, Caller, Position);

    /// <summary>
    /// An access begins. While calls are out, or another access of this frame waits, it runs in parallel with them.
    /// </summary>
    internal void BeginAccess()
    {
        if (_outstanding > 0 || _waiting > 0) Engine.Parallel.NoteParallel(Transaction);
    }

    /// <summary>An access of this frame is not over when its caller goes on.</summary>
    internal void BeginWait() => _waiting++;

    internal void EndWait() => _waiting--;

    /// <summary>Everything before an access's site is finished in this branch.</summary>
    internal void BeginSite(int position)
    {
        if (position > Position) Advance(position);
    }

    internal void EndSite(int position, bool isLoop)
    {
        if (!isLoop && position >= Position) Advance(position + 1);
    }

    internal void Advance(int position)
    {
        if (position <= Position) return;
        Position = position;
        if (Transaction.Frames is not null) Engine.Progress.Progressed(Transaction);
    }

    internal void Returned(OutgoingCall call, int position)
    {
        _outstanding--;
        if (position > Position) Position = position;
        if (Transaction.Frames is not null) Engine.Progress.Progressed(Transaction);
    }
}
