namespace Polyjuice.Partitions;

/// <summary>The oldest live attempt of this node's agent (R1c); <see cref="Agents.LiveAttempts"/> keeps it.</summary>
internal sealed class OldestAttempt
{
    /// <summary>
    /// The least number of a live attempt; all lower ones are done with. Other threads may see it a moment later.
    /// </summary>
    public long Number { get; set; } = 1;
}
