using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.TestingHost;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// The same, with silos whose clocks differ by nearly as much as the engine allows by default (500 ms).
/// </summary>
public sealed class SkewedCluster : KitCluster
{
    protected override void Configure(TestClusterBuilder builder) => builder.AddSiloBuilderConfigurator<Skew>();

    /// <summary>Gives each silo that is made a clock of its own, in turn ahead and behind.</summary>
    public sealed class Skew : ISiloConfigurator
    {
        private static int s_silos;

        public void Configure(ISiloBuilder siloBuilder)
        {
            var offset = TimeSpan.FromMilliseconds(Interlocked.Increment(ref s_silos) % 2 == 0 ? 200 : -200);
            siloBuilder.Services.AddKeyedSingleton<TimeProvider>(
                TransactionTimeProviderNames.Transactions, (_, _) => new SkewedTime(offset));
        }
    }
}
