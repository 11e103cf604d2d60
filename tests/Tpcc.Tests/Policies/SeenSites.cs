using Polyjuice.Policies;

namespace Tpcc.Tests.Policies;

/// <summary>A policy that sees which sites the silos know.</summary>
internal sealed class SeenSites(IPolicyCompiler policy) : IPolicyCompiler
{
    private readonly HashSet<SiteKey> _sites = [];

    public string Name => policy.Name;

    public PolicyTable Compile(SiteRegistry registry, int version)
    {
        lock (_sites) _sites.UnionWith(registry.Sites.Select(site => site.Key));
        return policy.Compile(registry, version);
    }

    public IEnumerable<string> SitesOf(string type)
    {
        lock (_sites)
            return [.. _sites.Where(site => site.Type == type).Select(site => site.Name).Order(StringComparer.Ordinal)];
    }
}
