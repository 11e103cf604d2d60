using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>A cluster's drain.</summary>
internal static class Drains
{
    public static IRowDrain Of(InProcessTestCluster cluster) =>
        cluster.GetSiloServiceProvider().GetRequiredService<IRowDrain>();
}
