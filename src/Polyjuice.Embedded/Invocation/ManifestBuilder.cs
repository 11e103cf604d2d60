using System.Reflection;
using Orleans.Runtime;
using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Invocation;

/// <summary>Collects what assemblies' generated manifests know. Not thread-safe; the codecs that it fills are.</summary>
/// <param name="codecs">Where codecs go; <see cref="CodecProvider.Shared"/> for whatever generated calls are to use.</param>
public sealed class ManifestBuilder(CodecProvider codecs)
{
    private readonly Dictionary<Type, GrainInterfaceDescriptor> _interfaces = [];

    /// <summary>The codecs registered so far, built-in ones included.</summary>
    public CodecProvider Codecs { get; } = codecs;

    /// <summary>The grain interfaces registered so far.</summary>
    public IReadOnlyDictionary<Type, GrainInterfaceDescriptor> Interfaces => _interfaces;

    /// <summary>Adds a grain interface and the codec of its references. Adding it again changes nothing.</summary>
    /// <typeparam name="TInterface">The interface.</typeparam>
    public void AddInterface<TInterface>(
        Func<GrainId, IGrainCallRuntime, GrainReference> createReference, GrainMethodDescriptor[] methods)
        where TInterface : class
    {
        if (_interfaces.TryAdd(typeof(TInterface), new(typeof(TInterface), createReference, methods)))
            Codecs.Register(new GrainReferenceCodec<TInterface>(createReference));
    }

    /// <summary>Adds a type's codec. Adding it again changes nothing.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="codec">Its codec.</param>
    /// <param name="alias">The type's name on the wire, or <see langword="null"/> for its full name.</param>
    public void AddCodec<T>(IValueCodec<T> codec, string? alias = null) => Codecs.Register(codec, alias);

    /// <summary>Adds an enum, so that it is known by name. Adding it again changes nothing.</summary>
    /// <typeparam name="T">The enum.</typeparam>
    /// <param name="alias">The type's name on the wire, or <see langword="null"/> for its full name.</param>
    public void AddEnum<T>(string? alias = null) where T : struct, Enum => Codecs.Register(new EnumCodec<T>(), alias);

    /// <summary>Adds a generic type's codec. Adding it again changes nothing.</summary>
    /// <param name="openType">The generic type definition.</param>
    /// <param name="openCodecType">The codec's, with the same type parameters and a constructor that takes a <see cref="CodecProvider"/>.</param>
    /// <param name="alias">The type's name on the wire, or <see langword="null"/> for its full name.</param>
    public void AddGenericCodec(Type openType, Type openCodecType, string? alias = null) =>
        Codecs.RegisterGeneric(openType, openCodecType, alias);

    /// <summary>Adds what an assembly's manifest knows.</summary>
    /// <returns>Whether the assembly has a manifest.</returns>
    public bool AddAssembly(Assembly assembly)
    {
        if (assembly.GetCustomAttribute<GeneratedManifestAttribute>() is not { } attribute) return false;
        ((IGeneratedManifest)Activator.CreateInstance(attribute.ManifestType, nonPublic: true)!).Register(this);
        return true;
    }
}
