using Polyjuice.Commit;

namespace Polyjuice.Execution;

/// <summary>Identity of a version: who wrote it, and which of its writes it was (rule R1a). The initial version has none.</summary>
internal readonly record struct VersionId(TransactionId Transaction, int Write);

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
/// The object of a version that is out of its participant's history is used again for a new one, of whatever participant: versions live just long enough to be
/// copied by every generation of garbage collection, which cost more than all else about them. <see cref="Pins"/> says when it may.
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
    /// The value; or, as recovered from the log, an <see cref="EncodedState"/> until someone who knows the type asks; or nothing, for the initial value.
    /// </summary>
    public object? Content;

    /// <summary>Durable and decided.</summary>
    public bool IsCommitted;

    /// <summary>
    /// Branches that may still look at it: its writer's, and those that have read it, until they are forgotten; and snapshot reads under
    /// way; and one more, for good, once a version before it is forgotten that somebody still looks at, and so at this one as its <see cref="Next"/>. What is never unpinned is merely never used again.
    /// </summary>
    public int Pins = writer is null ? 0 : 1;

    /// <summary>The writing transaction's branch here; <see langword="null"/> once nobody can depend on it (committed), or it is over and forgotten.</summary>
    public Branch? Writer => _writer == default ? null : Participant.Owner.Find(_writer);

    public bool IsSealed => IsCommitted || Writer is not { } writer || writer.Transaction.IsSealed;

    /// <summary>Makes it another version, whose content is still to come: what is there may be used for it. Only while nothing else refers to it.</summary>
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
        Pins = 1;
    }

    /// <summary>Nobody can depend on who wrote it any more.</summary>
    public void ForgetWriter() => _writer = default;

    public object GetValue(StateAdapter adapter)
    {
        if (Content is { } content and not EncodedState) return content;
        return Content = Content is EncodedState encoded ? adapter.Decode(encoded.Bytes) : adapter.Create();
    }
}
