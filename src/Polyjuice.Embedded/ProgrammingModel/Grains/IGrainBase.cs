using Orleans.Runtime;

namespace Orleans;

/// <summary>What a grain class is, whether or not it derives from <see cref="Grain"/>.</summary>
public interface IGrainBase
{
    /// <summary>The activation that the object belongs to.</summary>
    IGrainContext GrainContext { get; }

    /// <summary>Called before the first request runs. When it throws, the activation's requests fail.</summary>
    Task OnActivateAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Called after the last request has ended, except when the silo is killed.</summary>
    Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
}
