using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>What grain types are called in manifests.</summary>
internal static class GrainTypes
{
    /// <summary>
    /// A grain's class, as manifests name it: those have generic classes, and not what grains make of them.
    /// </summary>
    public static GrainType ClassOf(GrainType type) =>
        GenericGrainType.TryParse(type, out var generic) ? generic.GetUnconstructedGrainType().GrainType : type;
}
