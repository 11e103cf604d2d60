using Orleans.Runtime;

namespace Polyjuice.Embedded.Invocation;

/// <summary>What the generator knows of one grain interface.</summary>
/// <param name="InterfaceType">The interface.</param>
/// <param name="CreateReference">Makes a reference to a grain.</param>
/// <param name="Methods">The methods by ordinal, inherited interfaces' first.</param>
public sealed record GrainInterfaceDescriptor(
    Type InterfaceType,
    Func<GrainId, IGrainCallRuntime, GrainReference> CreateReference,
    IReadOnlyList<GrainMethodDescriptor> Methods);
