namespace Polyjuice.Execution;

// What the engine's housekeeping knows of it.
internal sealed partial class LocalTransaction : IHasDuePlace
{
    private DuePlace _due;

    /// <summary>Branches that are not finished, of this object's own.</summary>
    public int UnfinishedBranches;

    /// <summary>Whether the engine finds it by its name.</summary>
    public bool IsKnown;

    /// <summary>Whether it is going to be looked at when its agent is done with it.</summary>
    public bool AwaitsAgent;

    /// <inheritdoc/>
    public ref DuePlace Due => ref _due;

    /// <summary>Whether nothing about it can ever have to be done.</summary>
    public bool IsAtRest => !IsKnown && UnfinishedBranches == 0;
}
