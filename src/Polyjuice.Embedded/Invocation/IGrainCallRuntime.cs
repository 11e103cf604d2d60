namespace Polyjuice.Embedded.Invocation;

/// <summary>What grain references call: a silo or a client. Thread-safe.</summary>
public interface IGrainCallRuntime
{
    /// <summary>Makes a call. The arguments are the runtime's from here on; it copies them before they leave the caller's hands.</summary>
    /// <typeparam name="TResult">The result's type, <see cref="Nothing"/> for none.</typeparam>
    /// <param name="target">The grain called.</param>
    /// <param name="call">The call, its arguments set.</param>
    /// <returns>The result; for <c>[OneWay]</c> methods a completed task.</returns>
    Task<TResult> CallAsync<TResult>(GrainReference target, Invokable<TResult> call);
}
