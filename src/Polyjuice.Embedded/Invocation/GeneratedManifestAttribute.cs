namespace Polyjuice.Embedded.Invocation;

/// <summary>Names an assembly's generated manifest.</summary>
/// <param name="manifestType">A class that implements <see cref="IGeneratedManifest"/> and has a constructor without parameters.</param>
[AttributeUsage(AttributeTargets.Assembly)]
public sealed class GeneratedManifestAttribute(Type manifestType) : Attribute
{
    /// <summary>The manifest's class.</summary>
    public Type ManifestType { get; } = manifestType;
}
