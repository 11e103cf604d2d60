using Microsoft.Extensions.DependencyInjection;
using Polyjuice.Storage;

namespace Polyjuice.Orleans;

/// <summary>The names of the logs that were added to a silo, by whatever means.</summary>
/// <param name="services">All that is registered.</param>
internal sealed class AddedLogs(IServiceCollection services)
{
    /// <summary>Each once, in ordinal order.</summary>
    public IReadOnlyList<string> Names =>
    [
        .. services.Where(static service => service.IsKeyedService && service.ServiceType == typeof(ILogStoreProvider))
            .Select(static service => service.ServiceKey).OfType<string>()
            .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal),
    ];

    /// <summary>The names as a text.</summary>
    public string Text => Names is { Count: > 0 } names
        ? string.Join(", ", names.Select(static name => $"'{name}'"))
        : "none";
}
