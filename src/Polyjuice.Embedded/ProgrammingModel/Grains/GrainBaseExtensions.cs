using Orleans.Runtime;
using Polyjuice.Embedded.Core;

namespace Orleans;

/// <summary>What grain code asks of its activation.</summary>
public static class GrainBaseExtensions
{
    /// <summary>Starts a timer that ends with the activation.</summary>
    /// <typeparam name="TState">What the callback gets.</typeparam>
    public static IGrainTimer RegisterGrainTimer<TState>(
        this IGrainBase grain, Func<TState, CancellationToken, Task> callback, TState state, GrainTimerCreationOptions options)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return ((Activation)grain.GrainContext).StartTimer(cancellationToken => callback(state, cancellationToken), options);
    }

    /// <summary>Starts a timer that ends with the activation.</summary>
    public static IGrainTimer RegisterGrainTimer(this IGrainBase grain, Func<CancellationToken, Task> callback, GrainTimerCreationOptions options)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return ((Activation)grain.GrainContext).StartTimer(callback, options);
    }

    /// <summary>Starts a timer that ends with the activation.</summary>
    public static IGrainTimer RegisterGrainTimer(this IGrainBase grain, Func<Task> callback, GrainTimerCreationOptions options)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return ((Activation)grain.GrainContext).StartTimer(_ => callback(), options);
    }

    /// <summary>Starts a timer that ends with the activation.</summary>
    public static IGrainTimer RegisterGrainTimer(this IGrainBase grain, Func<CancellationToken, Task> callback, TimeSpan dueTime, TimeSpan period) =>
        grain.RegisterGrainTimer(callback, new GrainTimerCreationOptions(dueTime, period));

    /// <summary>Starts a timer that ends with the activation.</summary>
    public static IGrainTimer RegisterGrainTimer(this IGrainBase grain, Func<Task> callback, TimeSpan dueTime, TimeSpan period) =>
        grain.RegisterGrainTimer(callback, new GrainTimerCreationOptions(dueTime, period));

    /// <summary>Starts a timer that ends with the activation.</summary>
    /// <typeparam name="TState">What the callback gets.</typeparam>
    public static IGrainTimer RegisterGrainTimer<TState>(
        this IGrainBase grain, Func<TState, CancellationToken, Task> callback, TState state, TimeSpan dueTime, TimeSpan period) =>
        grain.RegisterGrainTimer(callback, state, new GrainTimerCreationOptions(dueTime, period));

    /// <summary>Starts a timer that ends with the activation.</summary>
    /// <typeparam name="TState">What the callback gets.</typeparam>
    public static IGrainTimer RegisterGrainTimer<TState>(
        this IGrainBase grain, Func<TState, Task> callback, TState state, TimeSpan dueTime, TimeSpan period) =>
        grain.RegisterGrainTimer((value, _) => callback(value), state, new GrainTimerCreationOptions(dueTime, period));

    /// <summary>Has the activation go away once its running requests have ended.</summary>
    public static void DeactivateOnIdle(this IGrainBase grain) =>
        grain.GrainContext.Deactivate(new DeactivationReason(DeactivationReasonCode.ApplicationRequested, "DeactivateOnIdle was called."));
}
