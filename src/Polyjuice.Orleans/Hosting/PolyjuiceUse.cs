using Microsoft.Extensions.DependencyInjection;

namespace Polyjuice.Orleans;

/// <summary>How often <c>UsePolyjuice()</c> was called on a silo's builder.</summary>
internal sealed class PolyjuiceUse
{
    /// <summary>Times so far.</summary>
    public int Times { get; set; } = 1;

    /// <summary>Whether <c>UseTransactions()</c> had been called on it before.</summary>
    public bool IsBesideOrleans { get; init; }

    /// <summary>That of a silo that is being built, if it was called.</summary>
    public static PolyjuiceUse? Of(IServiceCollection services) => services
        .FirstOrDefault(
            static service => service.ServiceType == typeof(PolyjuiceUse))?.ImplementationInstance as PolyjuiceUse;
}
