using Orleans.Runtime;

namespace Polyjuice.Embedded.Invocation;

/// <summary>
/// Stands for a grain, wherever it is. The source generator derives a class per grain interface. Immutable and thread-safe;
/// two references are equal when they stand for the same grain under the same interface.
/// </summary>
/// <param name="id">The grain.</param>
/// <param name="runtime">Who makes the calls.</param>
public abstract class GrainReference(GrainId id, IGrainCallRuntime runtime) : IEquatable<GrainReference>
{
    /// <summary>The grain.</summary>
    public GrainId Id { get; } = id;

    /// <summary>Who makes the calls.</summary>
    public IGrainCallRuntime Runtime { get; } = runtime;

    /// <summary>The grain's class and log partition, filled in by the runtime when it first routes a call; always the same.</summary>
    internal Core.GrainClass? Class { get; set; }

    /// <inheritdoc cref="Class"/>
    internal int Partition { get; set; }

    /// <summary>The grain interface that this reference implements.</summary>
    public abstract Type InterfaceType { get; }

    /// <inheritdoc/>
    public bool Equals(GrainReference? other) =>
        ReferenceEquals(this, other) || (other is not null && Id == other.Id && InterfaceType == other.InterfaceType);

    /// <inheritdoc/>
    public sealed override bool Equals(object? obj) => obj is GrainReference other && Equals(other);

    /// <inheritdoc/>
    public sealed override int GetHashCode() => Id.GetHashCode();

    /// <inheritdoc/>
    public sealed override string ToString() => $"{InterfaceType.Name}({Id})";

    /// <summary>Makes a call.</summary>
    /// <typeparam name="TResult">The result's type.</typeparam>
    protected Task<TResult> CallAsync<TResult>(Invokable<TResult> call) => Runtime.CallAsync(this, call);
}
