using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Polyjuice.Embedded.Core;

namespace Orleans;

/// <summary>Base class for grains: objects with a key that run one turn at a time.</summary>
public abstract class Grain : IGrainBase, IAddressable
{
    /// <summary>Called by the runtime, on the silo's thread.</summary>
    protected Grain()
    {
        GrainContext = Activation.BeingCreated
            ?? throw new InvalidOperationException($"Grains are created by the runtime: get a reference to {GetType()} from IGrainFactory.");
    }

    /// <inheritdoc/>
    public IGrainContext GrainContext { get; }

    /// <summary>The grain's identity.</summary>
    public GrainId GrainId => GrainContext.GrainId;

    /// <summary>The grain's identity as text.</summary>
    public string IdentityString => GrainContext.GrainId.ToString();

    /// <summary>Makes references to grains.</summary>
    protected IGrainFactory GrainFactory => GrainContext.ActivationServices.GetRequiredService<IGrainFactory>();

    /// <summary>The activation's services.</summary>
    protected internal IServiceProvider ServiceProvider => GrainContext.ActivationServices;

    /// <summary>Has the activation go away once its running requests have ended.</summary>
    protected void DeactivateOnIdle() =>
        GrainContext.Deactivate(new DeactivationReason(DeactivationReasonCode.ApplicationRequested, "DeactivateOnIdle was called."));

    /// <summary>Keeps the activation from being collected as idle for that long; a time of zero or less takes that back.</summary>
    protected void DelayDeactivation(TimeSpan timeSpan) => ((Activation)GrainContext).DelayDeactivation(timeSpan);

    /// <inheritdoc/>
    public virtual Task OnActivateAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public virtual Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
}
