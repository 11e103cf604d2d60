using Azure.Storage.Blobs;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans;
using Polyjuice.Publishing;
using Polyjuice.Tests.Clusters;

namespace Polyjuice.Storage.AzureBlobs.Tests.Hosting;

[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class AzureBlobSiloBuilderExtensionsTests(AzuriteFixture azurite)
    : LogProviderContract("AzureBlobs", typeof(BlobServiceClient))
{
    [ConditionalFact]
    public async Task Logs_policies_and_traces_come_from_the_configuration()
    {
        var container = azurite.NewOptions().ContainerName;
        using var host = Build(silo => silo.UsePolyjuice(), new()
        {
            ["ConnectionStrings:blobs"] = azurite.Server.ConnectionString,
            ["Polyjuice:Logs:Default:ProviderType"] = "AzureBlobs", ["Polyjuice:Logs:Default:ConnectionName"] = "blobs",
            ["Polyjuice:Logs:Default:ContainerName"] = container, ["Polyjuice:Logs:Default:NewPartitions"] = "3",
            ["Polyjuice:PolicyStore:ProviderType"] = "AzureBlobs", ["Polyjuice:PolicyStore:Container"] = container,
            ["Polyjuice:PolicyStore:ConnectionString"] = azurite.Server.ConnectionString,
            ["Polyjuice:Traces:ProviderType"] = "AzureBlobs", ["Polyjuice:Traces:Container"] = container,
            ["Polyjuice:Traces:ConnectionName"] = "blobs",
        });
        await host.StartAsync();
        await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a").Add(10);

        Assert.Equal(3, host.Services.GetRequiredService<IPolyjuiceSilo>().Readiness.Partitions);
        Assert.IsType<AzureBlobPolicyEntries>(host.Services.GetRequiredService<IPolicyEntries>());
        Assert.IsType<AzureBlobTraceSink>(
            host.Services.GetRequiredService<IOptions<PolyjuiceOptions>>().Value.TraceSink);
        await host.StopAsync();
    }

    [ConditionalFact]
    public async Task Logs_policies_and_traces_use_a_client_of_the_applications_that_the_configuration_names()
    {
        var container = azurite.NewOptions().ContainerName;
        var shared = new BlobServiceClient(azurite.Server.ConnectionString);
        using var host = Build(
            silo => silo.UsePolyjuice().Services.AddKeyedSingleton<BlobServiceClient>("shared", (_, _) => shared),
            new()
            {
                ["Polyjuice:Logs:Default:ProviderType"] = "AzureBlobs",
                ["Polyjuice:Logs:Default:ServiceKey"] = "shared",
                ["Polyjuice:Logs:Default:ContainerName"] = container, ["Polyjuice:Logs:Default:NewPartitions"] = "3",
                ["Polyjuice:PolicyStore:ProviderType"] = "AzureBlobs", ["Polyjuice:PolicyStore:ServiceKey"] = "shared",
                ["Polyjuice:PolicyStore:Container"] = container,
                ["Polyjuice:Traces:ProviderType"] = "AzureBlobs", ["Polyjuice:Traces:ServiceKey"] = "shared",
                ["Polyjuice:Traces:Container"] = container,
            });
        await UseAsync(host);

        // What the silo did is recorded.
        Assert.Single(await new AzureBlobTraceSource(
            shared.GetBlobContainerClient(container), "traces/").ListAsync(default));
    }

    [ConditionalFact]
    public async Task Of_several_logs_the_one_that_is_named_is_used()
    {
        var options = azurite.NewOptions();
        using (var host = Build(silo => silo
            .UsePolyjuice((PolyjuiceOptions polyjuice) => polyjuice.LogProvider = "second")
            .AddAzureBlobLog(
                "first",
                builder => builder.Configure(
                    first => first.ConnectionString =
                        "UseDevelopmentStorage=false;AccountName=nobody;AccountKey=c2VjcmV0"))
            .AddAzureBlobLog("second", builder => builder.Configure<IServiceProvider>((second, _) =>
            {
                second.ConnectionString = azurite.Server.ConnectionString;
                second.ContainerName = options.ContainerName;
                second.KeyPrefix = "second";
            }))))
        {
            await host.StartAsync();
            await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a").Add(10);
            await host.StopAsync();
        }

        // The lock was given back, and everything is below the prefix.
        var container = BlobClients.Container(options);
        await foreach (var blob in container.GetBlobsAsync())
            Assert.StartsWith("second/", blob.Name, StringComparison.Ordinal);
        options.KeyPrefix = "second";
        await using var store = await AzureBlobLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        long batches = 0;
        for (var partition = 0; partition < store.PartitionCount; partition++)
            batches += await store.Open(partition).End();
        Assert.True(batches > 0);
    }

    [ConditionalFact]
    public async Task A_wrong_option_stops_the_host_from_starting_and_is_named()
    {
        using var host = Build(
            silo => silo.UsePolyjuice((PolyjuiceOptions polyjuice) => polyjuice.LogProvider = "orders")
                .AddAzureBlobLog("orders", options => options.ContainerName = "No"));
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains("'orders'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("ContainerName", exception.Message, StringComparison.Ordinal);
        Assert.Contains("ConnectionString", exception.Message, StringComparison.Ordinal);
    }

    /// <inheritdoc/>
    protected override string NewPlace() => azurite.NewOptions().ContainerName;

    /// <inheritdoc/>
    protected override void AddLogAsDefault(ISiloBuilder silo, string place) =>
        silo.AddAzureBlobLogAsDefault((AzureBlobLogOptions options) =>
        {
            options.ConnectionString = azurite.Server.ConnectionString;
            options.ContainerName = place;
            options.NewPartitions = 3;
        });
}
