using System.Buffers;
using Polyjuice.Contracts;

namespace Polyjuice.Versions;

/// <summary>Where a version stands.</summary>
internal enum VersionStatus : byte
{
    /// <summary>Buffered; only its own transaction sees it.</summary>
    Private,

    /// <summary>Written by a running transaction and visible to dirty reads.</summary>
    Exposed,

    /// <summary>In the participant's chain, with timestamps.</summary>
    Ordered,

    /// <summary>Left the chain, or never got there: its writer aborted or wrote again.</summary>
    Removed,
}

/// <summary>One version of one transactional state. Its value never changes once anyone else can see it.</summary>
/// <remarks>
/// The object of a version that is out of its participant's history is used again for a new one, of whatever
/// participant: versions live just long enough to be copied by every generation of garbage collection, which cost more
/// than all else about them. <see cref="Pins"/> says when it may.
/// </remarks>
internal sealed class StateVersion(Participant participant, VersionId id, Branch? writer, StateVersion? previous)
{
    public Participant Participant { get; private set; } = participant;

    /// <summary>Changes only while the version is private.</summary>
    public VersionId Id = id;

    private BranchRef _writer = writer?.Ref ?? default;

    /// <summary>The version that this one was derived from. Cut where history is pruned.</summary>
    public StateVersion? Previous = previous;

    /// <summary>The next ordered version.</summary>
    public StateVersion? Next;

    public VersionStatus Status;

    /// <summary>Write timestamp; its transaction's commit timestamp.</summary>
    public long Wts;

    /// <summary>Read timestamp: no later version may be ordered at or below it.</summary>
    public long Rts;

    /// <summary>
    /// The value; or, as recovered from the log, an <see cref="EncodedState"/>
    /// until someone who knows the type asks; or nothing, for the initial value.
    /// </summary>
    public object? Content;

    /// <summary>Durable and decided.</summary>
    public bool IsCommitted;

    /// <summary>
    /// Branches that may still look at it: its writer's, and those that have read it, until they are forgotten; and
    /// snapshot reads under way. What is never unpinned is merely never used again.
    /// </summary>
    public int Pins = writer is null ? 0 : 1;

    // Whether somebody still looks at the version before it, which is out of the history.
    private bool _isPinnedByPrevious;
    private bool _isForgotten;

    /// <summary>
    /// The writing transaction's branch here; <see langword="null"/> once
    /// nobody can depend on it (committed), or it is over and forgotten.
    /// </summary>
    public Branch? Writer => _writer == default ? null : Participant.Partition.Find(_writer);

    public bool IsSealed => IsCommitted || Writer is not { } writer || writer.Transaction.IsSealed;

    /// <summary>
    /// Makes it another version, whose content is still to come: what is
    /// there may be used for it. Only while nothing else refers to it.
    /// </summary>
    public void Become(Participant participant, VersionId id, Branch writer, StateVersion previous)
    {
        Participant = participant;
        Id = id;
        _writer = writer.Ref;
        Previous = previous;
        Next = null;
        Status = VersionStatus.Private;
        Wts = 0;
        Rts = 0;
        IsCommitted = false;
        _isForgotten = false;
        Pins = 1;
    }

    /// <summary>Takes all before it out of the participant's history.</summary>
    public void CutHistory()
    {
        for (var forgotten = TakePrevious(); forgotten is not null;)
        {
            var older = forgotten.TakePrevious();
            forgotten._isForgotten = true;
            if (forgotten.Pins == 0) forgotten.Retire();
            forgotten = older;
        }
    }

    /// <summary>Somebody does not look at it any longer.</summary>
    public void Unpin()
    {
        if (--Pins > 0 || !_isForgotten) return;
        var next = Next;
        Retire();
        if (next is null) return;
        next._isPinnedByPrevious = false;
        if (next is { _isForgotten: true, Pins: 0 }) next.Retire();
    }

    // Who still looks at a version validates against the one that
    // came next (R1): that must not become another one meanwhile.
    private StateVersion? TakePrevious()
    {
        if (Previous is not { } previous) return null;
        Previous = null;
        _isPinnedByPrevious = previous.Pins > 0;
        return previous;
    }

    /// <summary>
    /// Nobody looks at it any longer: it refers to nothing, and is used again unless somebody looks at it as the next
    /// one of another. A version that nobody knows may lie for long in the oldest generation of garbage collection,
    /// which takes it for alive until that is collected itself: whatever it led to, that is all that came after it,
    /// most at the hottest participants, was copied with every collection of the younger ones.
    /// </summary>
    private void Retire()
    {
        Next = null;
        if (!_isPinnedByPrevious) Participant.UseAgain(this);
    }

    /// <summary>Nobody can depend on who wrote it any more.</summary>
    public void ForgetWriter() => _writer = default;

    /// <summary>Writes the value, which must not be the initial one, as logs have it.</summary>
    public void Encode(StateAdapter adapter, IBufferWriter<byte> output)
    {
        if (Content is EncodedState encoded) output.Write(encoded.Bytes);
        else
            adapter.Encode(
                Content
                    ?? throw new InvariantException(
                        $"{Participant.Key.Grain}.{Participant.Key.State} was never written."),
                output);
    }

    public object GetValue(StateAdapter adapter)
    {
        if (Content is { } content and not EncodedState) return content;
        return Content = Content is EncodedState encoded ? adapter.Decode(encoded.Bytes) : adapter.Create();
    }
}
