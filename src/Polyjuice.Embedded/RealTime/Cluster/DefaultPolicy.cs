using Polyjuice.Policies;

namespace Polyjuice.Embedded.RealTime;

/// <summary>The policy of clusters that were given none.</summary>
internal static class DefaultPolicy
{
    public static IPolicyCompiler Create() => new Optimistic();

    // The engine's defaults for everything: read clean, write privately, wait for nobody.
    private sealed class Optimistic : IPolicyCompiler
    {
        public string Name => "occ";

        public PolicyTable Compile(SiteRegistry registry, int version) => new PolicyTableBuilder(registry, Name).Build(version);
    }
}
