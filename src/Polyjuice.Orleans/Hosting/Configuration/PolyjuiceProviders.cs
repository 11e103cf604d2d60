using Orleans;
using Orleans.Providers;

namespace Orleans.Hosting;

/// <summary>
/// The kinds of providers that the section <c>Polyjuice</c> of a silo's configuration names. A package adds one by an
/// <see cref="RegisterProviderAttribute"/> of such a kind, with the target <see cref="Target"/>, on an
/// <see cref="IProviderBuilder{TBuilder}"/> of silos.
/// </summary>
internal static class PolyjuiceProviders
{
    /// <summary>Logs: <c>Polyjuice:Logs:NAME</c>, of which <c>Default</c> is the one that transactions use.</summary>
    public const string Logs = "PolyjuiceLogs";

    /// <summary>Where policies are published: <c>Polyjuice:PolicyStore</c>.</summary>
    public const string PolicyStore = "PolyjuicePolicyStore";

    /// <summary>Where traces are recorded: <c>Polyjuice:Traces</c>.</summary>
    public const string Traces = "PolyjuiceTraces";

    /// <summary>The target of all of them.</summary>
    public const string Target = "Silo";
}
