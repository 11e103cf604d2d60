using Polyjuice.Policies;

namespace Polyjuice.Lab.Choosing;

/// <summary>A policy under which what accesses meet is counted, as it is where a table is chosen at run time.</summary>
/// <param name="inner">The policy.</param>
internal sealed class ObservedPolicy(IPolicyCompiler inner) : IPolicyCompiler
{
    /// <inheritdoc/>
    public string Name => inner.Name;

    /// <inheritdoc/>
    PolicyTable IPolicyCompiler.Compile(SiteRegistry registry, int version)
    {
        var table = inner.Compile(registry, version);
        table.IsObserved = true;
        return table;
    }
}
