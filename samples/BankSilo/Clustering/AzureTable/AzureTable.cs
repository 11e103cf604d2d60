using Azure.Data.Tables;
using Orleans.Hosting;

namespace BankSilo.Clustering;

/// <summary>Membership in a table of Azure Storage, or of Azurite, by Orleans' own provider.</summary>
internal static class AzureTable
{
    public static ISiloBuilder Use(ISiloBuilder silo, string connectionString) =>
        silo.UseAzureStorageClustering(options => options.TableServiceClient = new TableServiceClient(connectionString));
}
