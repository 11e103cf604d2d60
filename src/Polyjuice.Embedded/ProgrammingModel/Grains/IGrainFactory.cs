using Orleans.Runtime;

namespace Orleans;

/// <summary>Makes references to grains. A reference needs no call and creates no grain. Thread-safe.</summary>
public interface IGrainFactory
{
    /// <summary>A reference to a grain with a GUID key.</summary>
    /// <typeparam name="TGrainInterface">The grain interface.</typeparam>
    /// <param name="primaryKey">The key.</param>
    /// <param name="grainClassNamePrefix">Start of the class's full name, when several classes implement the interface.</param>
    TGrainInterface GetGrain<TGrainInterface>(Guid primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithGuidKey;

    /// <summary>A reference to a grain with an integer key.</summary>
    /// <inheritdoc cref="GetGrain{TGrainInterface}(Guid, string?)"/>
    TGrainInterface GetGrain<TGrainInterface>(long primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithIntegerKey;

    /// <summary>A reference to a grain with a string key.</summary>
    /// <inheritdoc cref="GetGrain{TGrainInterface}(Guid, string?)"/>
    TGrainInterface GetGrain<TGrainInterface>(string primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithStringKey;

    /// <summary>A reference to a grain with a GUID and a string as its key.</summary>
    /// <typeparam name="TGrainInterface">The grain interface.</typeparam>
    /// <param name="primaryKey">The key's first part.</param>
    /// <param name="keyExtension">The key's second part.</param>
    /// <param name="grainClassNamePrefix">Start of the class's full name, when several classes implement the interface.</param>
    TGrainInterface GetGrain<TGrainInterface>(Guid primaryKey, string keyExtension, string? grainClassNamePrefix = null)
        where TGrainInterface : IGrainWithGuidCompoundKey;

    /// <summary>A reference to a grain with an integer and a string as its key.</summary>
    /// <inheritdoc cref="GetGrain{TGrainInterface}(Guid, string, string?)"/>
    TGrainInterface GetGrain<TGrainInterface>(long primaryKey, string keyExtension, string? grainClassNamePrefix = null)
        where TGrainInterface : IGrainWithIntegerCompoundKey;

    /// <summary>A reference to the grain with that identity.</summary>
    /// <typeparam name="TGrainInterface">An interface that the grain implements.</typeparam>
    TGrainInterface GetGrain<TGrainInterface>(GrainId grainId) where TGrainInterface : IAddressable;

    /// <summary>A reference to a grain with a GUID key.</summary>
    IGrain GetGrain(Type grainInterfaceType, Guid grainPrimaryKey);

    /// <summary>A reference to a grain with an integer key.</summary>
    IGrain GetGrain(Type grainInterfaceType, long grainPrimaryKey);

    /// <summary>A reference to a grain with a string key.</summary>
    IGrain GetGrain(Type grainInterfaceType, string grainPrimaryKey);

    /// <summary>A reference to a grain with a GUID and a string as its key.</summary>
    IGrain GetGrain(Type grainInterfaceType, Guid grainPrimaryKey, string keyExtension);

    /// <summary>A reference to a grain with an integer and a string as its key.</summary>
    IGrain GetGrain(Type grainInterfaceType, long grainPrimaryKey, string keyExtension);
}

/// <summary>Calls grains from outside of the cluster's silos. Thread-safe.</summary>
public interface IClusterClient : IGrainFactory
{
    /// <summary>The services of the process.</summary>
    IServiceProvider ServiceProvider { get; }
}
