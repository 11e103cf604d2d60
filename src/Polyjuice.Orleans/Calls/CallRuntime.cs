using Orleans;
using Orleans.CodeGeneration;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Where all grain references of a silo or client make their calls: takes
/// over those of transactional methods. To others it is one more step.
/// </summary>
internal sealed class CallRuntime(IGrainReferenceRuntime inner, TransactionCalls calls) : IGrainReferenceRuntime
{
    /// <inheritdoc/>
    public ValueTask<T?> InvokeMethodAsync<T>(
        GrainReference reference, IInvokable request, InvokeMethodOptions options) =>
        inner.InvokeMethodAsync<T>(reference, Take(request), options);

    /// <inheritdoc/>
    public ValueTask InvokeMethodAsync(GrainReference reference, IInvokable request, InvokeMethodOptions options) =>
        inner.InvokeMethodAsync(reference, Take(request), options);

    /// <inheritdoc/>
    public void InvokeMethod(GrainReference reference, IInvokable request, InvokeMethodOptions options) =>
        inner.InvokeMethod(reference, Take(request), options);

    /// <inheritdoc/>
    public object Cast(IAddressable grain, Type interfaceType) => inner.Cast(grain, interfaceType);

    private IInvokable Take(IInvokable request) =>
        request is TransactionRequestBase transactional ? calls.Of(transactional) : request;
}
