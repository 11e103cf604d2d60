using Orleans;
using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;

namespace Polyjuice.Embedded.Core;

/// <summary>Makes references for a cluster. Thread-safe.</summary>
internal sealed class GrainReferences(CallRuntime runtime, GrainTypeMap types) : IGrainFactory
{
    /// <summary>What the cluster knows of grains.</summary>
    public GrainTypeMap Types { get; } = types;

    /// <summary>A reference to a grain under an interface that its class implements.</summary>
    public TGrainInterface Cast<TGrainInterface>(GrainId id) => (TGrainInterface)(object)Cast(typeof(TGrainInterface), id);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(Guid primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithGuidKey =>
        Make<TGrainInterface>(GrainKeys.Of(primaryKey), grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(long primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithIntegerKey =>
        Make<TGrainInterface>(GrainKeys.Of(primaryKey), grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(string primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithStringKey =>
        Make<TGrainInterface>(GrainKeys.Of(primaryKey), grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(Guid primaryKey, string keyExtension, string? grainClassNamePrefix = null)
        where TGrainInterface : IGrainWithGuidCompoundKey =>
        Make<TGrainInterface>(GrainKeys.Of(primaryKey, keyExtension), grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(long primaryKey, string keyExtension, string? grainClassNamePrefix = null)
        where TGrainInterface : IGrainWithIntegerCompoundKey =>
        Make<TGrainInterface>(GrainKeys.Of(primaryKey, keyExtension), grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(GrainId grainId) where TGrainInterface : IAddressable =>
        Cast<TGrainInterface>(grainId with { Key = GrainKeys.OfText(grainId.Key) });

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, Guid grainPrimaryKey) => Make<IGrainWithGuidKey>(grainInterfaceType, GrainKeys.Of(grainPrimaryKey));

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, long grainPrimaryKey) => Make<IGrainWithIntegerKey>(grainInterfaceType, GrainKeys.Of(grainPrimaryKey));

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, string grainPrimaryKey) => Make<IGrainWithStringKey>(grainInterfaceType, GrainKeys.Of(grainPrimaryKey));

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, Guid grainPrimaryKey, string keyExtension) =>
        Make<IGrainWithGuidCompoundKey>(grainInterfaceType, GrainKeys.Of(grainPrimaryKey, keyExtension));

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, long grainPrimaryKey, string keyExtension) =>
        Make<IGrainWithIntegerCompoundKey>(grainInterfaceType, GrainKeys.Of(grainPrimaryKey, keyExtension));

    private TGrainInterface Make<TGrainInterface>(string key, string? prefix)
    {
        var route = Route<TGrainInterface>.Of(Types, prefix);
        return (TGrainInterface)(object)Reference(route.Interface, route.Class, key);
    }

    private IGrain Make<TKeyed>(Type grainInterface, string key)
    {
        ArgumentNullException.ThrowIfNull(grainInterface);
        if (!grainInterface.IsAssignableTo(typeof(TKeyed)))
            throw new ArgumentException($"{grainInterface} does not derive from {typeof(TKeyed).Name}, as that kind of key needs.", nameof(grainInterface));
        var grainClass = Types.ClassFor(grainInterface, null);
        return (IGrain)(object)Reference(Types.Interfaces[grainInterface], grainClass, key);
    }

    /// <inheritdoc cref="Cast{TGrainInterface}(GrainId)"/>
    public GrainReference Cast(Type grainInterface, GrainId id)
    {
        var grainClass = Types.ClassOf(id.Type);
        if (!Types.Interfaces.TryGetValue(grainInterface, out var descriptor) || !grainClass.Type.IsAssignableTo(grainInterface))
            throw new InvalidCastException($"Grain {id} does not implement {grainInterface}.");
        return Reference(descriptor, grainClass, id.Key);
    }

    private GrainReference Reference(GrainInterfaceDescriptor descriptor, GrainClass grainClass, string key)
    {
        var reference = descriptor.CreateReference(new(grainClass.Name, key), runtime);
        reference.Class = grainClass;
        reference.Partition = runtime.Partitions.Of(grainClass, key);
        return reference;
    }

    // The last answer per interface: applications ask for the same few over and over.
    private static class Route<TGrainInterface>
    {
        private static volatile Entry? s_last;

        public static Entry Of(GrainTypeMap types, string? prefix)
        {
            var last = s_last;
            if (last is not null && ReferenceEquals(last.Types, types) && last.Prefix == prefix) return last;
            var grainClass = types.ClassFor(typeof(TGrainInterface), prefix);
            return s_last = new(types, prefix, types.Interfaces[typeof(TGrainInterface)], grainClass);
        }

        public sealed record Entry(GrainTypeMap Types, string? Prefix, GrainInterfaceDescriptor Interface, GrainClass Class);
    }
}
