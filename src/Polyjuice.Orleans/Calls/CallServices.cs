using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// The services that makers of grain references see: the runtime by which
/// references make their calls is <see cref="CallRuntime"/>. The service itself
/// stays, because Orleans' grain factory wants the one that Orleans has registered.
/// </summary>
internal sealed class CallServices(IServiceProvider inner, TransactionCalls calls) : IKeyedServiceProvider
{
    // References' makers are made before the runtime can be.
    private readonly Lazy<CallRuntime> _runtime = new(
        () => new(inner.GetRequiredService<IGrainReferenceRuntime>(), calls));

    /// <inheritdoc/>
    public object? GetService(Type serviceType)
    {
        if (serviceType == typeof(IGrainReferenceRuntime)) return _runtime.Value;
        return serviceType == typeof(IServiceProvider) || serviceType == typeof(IKeyedServiceProvider)
            ? this
            : inner.GetService(serviceType);
    }

    /// <inheritdoc/>
    public object? GetKeyedService(Type serviceType, object? serviceKey) =>
        ((IKeyedServiceProvider)inner).GetKeyedService(serviceType, serviceKey);

    /// <inheritdoc/>
    public object GetRequiredKeyedService(Type serviceType, object? serviceKey) =>
        ((IKeyedServiceProvider)inner).GetRequiredKeyedService(serviceType, serviceKey);
}
