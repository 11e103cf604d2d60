namespace Polyjuice.Versions;

/// <summary>What one transaction has read and written at one participant.</summary>
internal sealed class AccessEntry(StateVersion read)
{
    /// <summary>The version that it read first, or built upon: never its own.</summary>
    public StateVersion Read = read;

    public Participant Participant => Read.Participant;

    /// <summary>Whether it was only read, and is overwritten by others, or about to be.</summary>
    public bool IsBeingOvertaken => Write is null && (Read.Next is not null || Participant.HasWriters);

    /// <summary>Its own latest version, if it updated.</summary>
    public StateVersion? Write;

    /// <summary>Number of the access that last touched it.</summary>
    public int Number;

    /// <summary>The site that touched it first.</summary>
    public int SiteId = -1;

    /// <summary>The branch's next one; see <see cref="AccessEntries"/>.</summary>
    public AccessEntry? Next;
}
