using Orleans;

namespace Polyjuice.Orleans.Silos;

/// <summary>Where a silo keeps its logs, as it tells others.</summary>
/// <param name="Identity">The store's identity; empty if the store does not know.</param>
/// <param name="Location">The same for people.</param>
[GenerateSerializer, Immutable, Alias("Polyjuice.LogPlace")]
internal sealed record LogPlace([property: Id(0)] string Identity, [property: Id(1)] string Location)
{
    /// <summary>
    /// Whether two silos with these logs would each keep a history of its own of the same partitions.
    /// </summary>
    public bool IsOtherThan(LogPlace other) =>
        Identity.Length > 0 && other.Identity.Length > 0 && Identity != other.Identity;
}
