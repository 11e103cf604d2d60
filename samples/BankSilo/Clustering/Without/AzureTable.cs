using Orleans.Hosting;
using Orleans.Runtime;

namespace BankSilo.Clustering;

/// <summary>Membership in an Azure table, which this build lacks.</summary>
internal static class AzureTable
{
    /// <exception cref="OrleansConfigurationException">Always.</exception>
    public static ISiloBuilder Use(ISiloBuilder silo, string connectionString) => throw new OrleansConfigurationException(
        "Silo:Clustering is AzureTable, and this program was built without it. Build with -p:AzureTableClustering=true, from a package source that has Microsoft.Orleans.Clustering.AzureStorage.");
}
