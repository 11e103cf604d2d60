namespace Orleans.Runtime;

/// <summary>One activation of a grain. Used on its turns.</summary>
public interface IGrainContext
{
    /// <summary>The grain's identity.</summary>
    GrainId GrainId { get; }

    /// <summary>The grain object; <see langword="null"/> while it is being created.</summary>
    object? GrainInstance { get; }

    /// <summary>The activation's own scope of services.</summary>
    IServiceProvider ActivationServices { get; }

    /// <summary>Has the activation go away once its running requests have ended; the next call makes another one.</summary>
    void Deactivate(DeactivationReason deactivationReason, CancellationToken cancellationToken = default);
}
