using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>Records what is ordered, for traces. On the engine's turn.</summary>
internal interface IOrderTrace
{
    /// <summary>Whether the participant's history is still to be recorded, and must not be pruned.</summary>
    bool NeedsHistory(Participant participant);

    /// <summary>A branch is about to be ordered.</summary>
    void Ordering(Branch branch);

    /// <summary>A participant has ordered a version at a timestamp.</summary>
    void Ordered(Participant participant, long timestamp);
}
