using Azure.Data.Tables;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime.Hosting;
using Orleans.Serialization;
using Orleans.Transactions;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>
/// Makes silos and clients whose cluster lives in a storage account: its membership, and what it stores. No silo is
/// needed for the others to find each other.
/// </summary>
internal static class ProcessCluster
{
    private static readonly TimeSpan _probeTimeout = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan _gatewayRefresh = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan _connectionRetry = TimeSpan.FromMilliseconds(100);

    /// <summary>A silo, which is to be started.</summary>
    /// <param name="setting">What it is told.</param>
    /// <param name="storage">The account's connection string.</param>
    public static IHost Silo(SiloSetting setting, string storage)
    {
        var builder = Builder();
        builder.Logging.AddProvider(new WriterLog(Console.Out));
        builder.UseOrleans(silo =>
        {
            silo.Configure<ClusterOptions>(cluster => cluster.ClusterId = cluster.ServiceId = setting.Cluster);
            silo.ConfigureEndpoints("127.0.0.1", setting.SiloPort, setting.GatewayPort);
            silo.UseAzureStorageClustering(options => options.TableServiceClient = new TableServiceClient(storage));
            silo.Configure<SiloMessagingOptions>(messaging => messaging.ResponseTimeout = setting.ResponseTimeout);
            silo.Configure<ConnectionOptions>(connections => connections.ConnectionRetryDelay = _connectionRetry);
            silo.Configure<ClusterMembershipOptions>(membership =>
            {
                // A silo that does not answer is dead to the others after some
                // seconds, where Orleans' defaults take half a minute.
                membership.ProbeTimeout = _probeTimeout;
                membership.TableRefreshTimeout = _probeTimeout * 2;
                membership.NumMissedProbesLimit = 3;
            });
            if (setting.Engine == ProcessEngine.Orleans) UseOrleans(silo, storage);
            else UsePolyjuice(silo, setting, storage);
        });
        return builder.Build();
    }

    /// <summary>A client, which is to be started.</summary>
    /// <param name="cluster">The cluster.</param>
    /// <param name="engine">Who runs transactions.</param>
    /// <param name="responseTimeout">How long callers wait for an answer.</param>
    /// <param name="storage">The account's connection string.</param>
    /// <param name="log">Gets warnings.</param>
    public static IHost Client(
        string cluster, ProcessEngine engine, TimeSpan responseTimeout, string storage, TextWriter log)
    {
        var builder = Builder();
        builder.Logging.AddProvider(new WriterLog(log));
        builder.UseOrleansClient(client =>
        {
            client.Configure<ClusterOptions>(options => options.ClusterId = options.ServiceId = cluster);
            client.UseAzureStorageClustering(options => options.TableServiceClient = new TableServiceClient(storage));
            client.Configure<ClientMessagingOptions>(messaging => messaging.ResponseTimeout = responseTimeout);
            client.Configure<GatewayOptions>(gateways => gateways.GatewayListRefreshPeriod = _gatewayRefresh);
            client.Configure<ConnectionOptions>(connections => connections.ConnectionRetryDelay = _connectionRetry);
            if (engine == ProcessEngine.Orleans) client.UseTransactions();
            else client.UsePolyjuice();
        });
        return builder.Build();
    }

    private static HostApplicationBuilder Builder()
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        return builder;
    }

    private static void UsePolyjuice(ISiloBuilder silo, SiloSetting setting, string storage)
    {
        silo.UsePolyjuice(options =>
        {
            options.Engine.DryRunsByDefault = true;
            options.Engine.CheckpointBytes = 256 << 10;
        });
        if (setting.Folder is { } folder)
            silo.AddFileLogAsDefault(
                options => (options.Directory, options.NewPartitions) = (folder, setting.Partitions));
        else
            silo.AddAzureBlobLogAsDefault(
                (AzureBlobLogOptions options) => (options.ConnectionString, options.ContainerName,
                    options.NewPartitions, options.Lock) =
                    (storage, setting.Cluster, setting.Partitions, false));
        if (setting.ClockShift != TimeSpan.Zero)
            silo.Services.AddKeyedSingleton<TimeProvider>(
                TransactionTimeProviderNames.Transactions, new ShiftedClock(setting.ClockShift));
        silo.Services.AddHostedService(
            services => new TableSwaps(services.GetRequiredService<PolicyStore>(), setting.Seed));
    }

    // With storage that outlives silos, as it is to be used.
    private static void UseOrleans(ISiloBuilder silo, string storage)
    {
        silo.UseTransactions();
        silo.Services.AddGrainStorage(
            "Default",
            (services, _) => new TableGrainStorage(
                new TableClient(storage, TableGrainStorage.Table), services.GetRequiredService<Serializer>()));
    }
}
