namespace Polyjuice.Embedded.Invocation;

/// <summary>Implemented by the class that the source generator emits per assembly.</summary>
public interface IGeneratedManifest
{
    /// <summary>Adds the assembly's grain interfaces and codecs.</summary>
    void Register(ManifestBuilder builder);
}
