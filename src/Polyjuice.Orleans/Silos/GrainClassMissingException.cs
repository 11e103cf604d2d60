using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans;

/// <summary>
/// A grain with transactional states belongs on the silo that serves its log partition, and that silo has no class for
/// it. In a rolling update that adds grain classes this passes when all silos have them.
/// </summary>
[GenerateSerializer]
public sealed class GrainClassMissingException : OrleansException
{
    /// <summary>Says which grain, and which silo.</summary>
    /// <param name="grain">The grain.</param>
    /// <param name="partition">Its log partition.</param>
    /// <param name="owner">The silo that serves it.</param>
    internal GrainClassMissingException(GrainId grain, int partition, SiloAddress owner)
        : base(
            $"Grain {grain} belongs on silo {owner}, which serves its log partition {partition} and has no class of "
            + $"grain type {grain.Type}. Give all silos of the cluster the same classes of grains with "
            + "transactional states.")
    {
    }
}
