using BenchmarkDotNet.Attributes;
using Polyjuice.Policies;

namespace Polyjuice.MicroBenchmarks;

/// <summary>What every access asks of the policy table in force. Must allocate nothing.</summary>
public class PolicyLookup
{
    private PolicyStore _policies = null!;
    private SiteInfo _site = null!;
    private int _dependencyType;

    [Params("occ", "ic3")]
    public string Policy { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        var registry = new SiteRegistry();
        for (var type = 0; type < 6; type++)
        {
            for (var site = 0; site < 4; site++)
            {
                var name = $"IAccountGrain.Operation{type}";
                _site = registry.GetOrAddSite(new SiteKey(name, name, $"AccountGrain.state{site}", AccessKind.Update));
            }
        }

        _dependencyType = registry.GetOrAddType("IAccountGrain.Operation2");
        _policies = new PolicyStore(registry, BuiltinPolicies.Get(Policy));
    }

    /// <summary>The row of a site, its wait for one dependency's type, and the backoff.</summary>
    [Benchmark]
    public float Lookup()
    {
        var table = _policies.Current;
        var row = table.RowOf(_site.Id, _site.TypeId);
        return table.WaitOf(row, _dependencyType) + table.PositionOf(_site.Id)
            + table.BackoffMultiplier(_site.TypeId, committed: true, priorAborts: 0);
    }
}
