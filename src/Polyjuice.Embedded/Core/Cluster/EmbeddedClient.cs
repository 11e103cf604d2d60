using Orleans;
using Orleans.Runtime;
using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded;

/// <summary>
/// Calls grains and runs transactions. Outside of grains it is the cluster's client, with a thread and a transaction engine of
/// its own; inside a grain's call, what it does belongs to that call and its silo. Thread-safe.
/// </summary>
public sealed partial class EmbeddedClient : IClusterClient, ITransactionClient
{
    private readonly ClusterHolder _holder;

    internal EmbeddedClient(ClusterHolder holder) => _holder = holder;

    /// <inheritdoc/>
    public IServiceProvider ServiceProvider => Runtime.Services;

    private CallRuntime Runtime => _holder.Runtime;

    private GrainReferences Grains => Runtime.Grains;

    /// <summary>
    /// Runs code in the client's own loop: its grain calls begin and end there without a change of threads. For load
    /// generators; code that blocks the thread blocks the client.
    /// </summary>
    public Task RunAsync(Func<Task> function) => Runtime.Client.Loop.RunAsync(function);

    /// <inheritdoc cref="RunAsync(Func{Task})"/>
    /// <typeparam name="TResult">The result's type.</typeparam>
    public Task<TResult> RunAsync<TResult>(Func<Task<TResult>> function) => Runtime.Client.Loop.RunAsync(function);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(Guid primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithGuidKey =>
        Grains.GetGrain<TGrainInterface>(primaryKey, grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(long primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithIntegerKey =>
        Grains.GetGrain<TGrainInterface>(primaryKey, grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(string primaryKey, string? grainClassNamePrefix = null) where TGrainInterface : IGrainWithStringKey =>
        Grains.GetGrain<TGrainInterface>(primaryKey, grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(Guid primaryKey, string keyExtension, string? grainClassNamePrefix = null)
        where TGrainInterface : IGrainWithGuidCompoundKey =>
        Grains.GetGrain<TGrainInterface>(primaryKey, keyExtension, grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(long primaryKey, string keyExtension, string? grainClassNamePrefix = null)
        where TGrainInterface : IGrainWithIntegerCompoundKey =>
        Grains.GetGrain<TGrainInterface>(primaryKey, keyExtension, grainClassNamePrefix);

    /// <inheritdoc/>
    public TGrainInterface GetGrain<TGrainInterface>(GrainId grainId) where TGrainInterface : IAddressable => Grains.GetGrain<TGrainInterface>(grainId);

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, Guid grainPrimaryKey) => Grains.GetGrain(grainInterfaceType, grainPrimaryKey);

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, long grainPrimaryKey) => Grains.GetGrain(grainInterfaceType, grainPrimaryKey);

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, string grainPrimaryKey) => Grains.GetGrain(grainInterfaceType, grainPrimaryKey);

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, Guid grainPrimaryKey, string keyExtension) =>
        Grains.GetGrain(grainInterfaceType, grainPrimaryKey, keyExtension);

    /// <inheritdoc/>
    public IGrain GetGrain(Type grainInterfaceType, long grainPrimaryKey, string keyExtension) =>
        Grains.GetGrain(grainInterfaceType, grainPrimaryKey, keyExtension);
}
