using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>An ordered version of a participant (R1).</summary>
internal sealed class VersionModel(VersionId id, long timestamp)
{
    /// <summary>Which.</summary>
    public VersionId Id { get; } = id;

    /// <summary>Its write timestamp.</summary>
    public long WriteTimestamp { get; set; } = timestamp;

    /// <summary>Its read timestamp.</summary>
    public long ReadTimestamp { get; set; } = timestamp;

    /// <summary>Whether its owner takes it for committed.</summary>
    public bool IsCommitted { get; set; }
}
