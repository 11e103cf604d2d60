namespace Polyjuice.Publishing.Following;

/// <summary>What a follower has done.</summary>
/// <param name="Kind">What.</param>
/// <param name="Release">The release that it is about; 0 for what the process was started with.</param>
/// <param name="Policy">The policy in force now.</param>
/// <param name="Text">Why, and by which figures, for people.</param>
internal sealed record PolicyChange(PolicyChangeKind Kind, int Release, string Policy, string Text);

/// <summary>What a follower can do.</summary>
internal enum PolicyChangeKind
{
    /// <summary>A release, or what one was rolled back to, is in force.</summary>
    Taken,

    /// <summary>A release has stood its trial.</summary>
    Kept,

    /// <summary>A release stays, because there was too little to judge it by.</summary>
    NotJudged,

    /// <summary>A release was worse than the table before, which is in force again here.</summary>
    PutBack,

    /// <summary>The rollback of a release that was worse has been published, so that all follow.</summary>
    RolledBack,

    /// <summary>A release can't be used here; what was in force stays.</summary>
    Refused,
}
