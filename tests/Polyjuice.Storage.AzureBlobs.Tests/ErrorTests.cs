using Azure.Core;
using Azure.Core.Pipeline;
using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Sas;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>What an operator reads when it does not work: where, why, what to do, and no secret.</summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class ErrorTests(AzuriteFixture azurite)
{
    private const string Segment = "p00000/00000000000000000000.log";
    private readonly FaultyTransport _way = new();

    [ConditionalFact]
    public async Task A_throttled_request_is_repeated_and_said_to_be_throttled_when_that_does_not_help()
    {
        var device = await azurite.OpenAsync(azurite.NewOptions(client => client.Transport = _way));
        await device.CreateAsync(Segment, default);
        for (var i = 0; i < 3; i++) _way.Next(FaultyTransport.IsAppend, Answer(503, "ServerBusy"));
        Assert.Equal(DeviceAppendResult.Appended, await device.AppendAsync(Segment, 0, new byte[] { 1 }, default));
        for (var i = 0; i < 4; i++) _way.Next(FaultyTransport.IsAppend, Answer(503, "ServerBusy"));
        var exception = await Assert.ThrowsAsync<IOException>(
            async () => await device.AppendAsync(Segment, 1, new byte[] { 1 }, default));
        Check(exception, "throttled", "503 ServerBusy", "RetriesMax", $"{device.Location}/{Segment}");
    }

    [ConditionalFact]
    public async Task A_wrong_key_is_refused_access_and_not_shown()
    {
        var options = azurite.NewOptions();
        var wrong = Convert.ToBase64String(new byte[64]);
        options.CreateClient = null;
        options.ConnectionString = azurite.Server.ConnectionString.Replace(
            azurite.Server.Key, wrong, StringComparison.Ordinal);
        var exception = await Assert.ThrowsAsync<UnauthorizedAccessException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Check(exception, "403", "Storage Blob Data Contributor", azurite.Server.Endpoint.ToString());
        Assert.DoesNotContain(wrong, exception.Message, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_signature_is_enough_and_one_that_allows_to_read_only_is_told_what_is_missing()
    {
        var options = azurite.NewOptions();
        var container = BlobClients.Container(options);
        await container.CreateAsync();
        Uri Sign(BlobContainerSasPermissions permissions)
        {
            var sas = new BlobSasBuilder(permissions, DateTimeOffset.UtcNow.AddHours(1))
            {
                BlobContainerName = options.ContainerName, Protocol = SasProtocol.HttpsAndHttp
            };
            return new UriBuilder(azurite.Server.Endpoint)
            {
                Query = sas.ToSasQueryParameters(new StorageSharedKeyCredential("polyjuice", azurite.Server.Key))
                    .ToString()
            }.Uri;
        }

        options.CreateClient = null;
        options.ServiceUri = Sign(BlobContainerSasPermissions.Read | BlobContainerSasPermissions.List);
        var exception = await Assert.ThrowsAsync<UnauthorizedAccessException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Check(exception, "racwdl", options.ContainerName);
        Assert.DoesNotContain("sig=", exception.Message, StringComparison.Ordinal);

        options.ServiceUri = Sign(BlobContainerSasPermissions.All);
        await using var store = await AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default);
        await store.Open(0).Fill(2);
        Assert.Equal(2, await store.Open(0).End());
        Assert.DoesNotContain("sig=", store.Location, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_container_that_is_not_there_is_made_only_if_that_is_allowed()
    {
        var options = azurite.NewOptions();
        options.CreateContainer = false;
        var exception = await Assert.ThrowsAsync<IOException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Check(exception, $"no container '{options.ContainerName}'", "CreateContainer");
        options.CreateContainer = true;
        await using var store = await AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default);
        Assert.Equal(8, store.PartitionCount);
    }

    [ConditionalFact]
    public async Task A_container_that_somebody_deletes_is_missed_and_not_taken_for_an_empty_one()
    {
        var options = azurite.NewOptions();
        var device = await azurite.OpenAsync(options);
        await device.CreateAsync(Segment, default);
        await BlobClients.Container(options).DeleteAsync();
        foreach (var call in new Func<Task>[]
        {
            async () => await device.AppendAsync(Segment, 0, new byte[1], default),
            async () => await device.GetLengthAsync(Segment, default),
            async () => await device.ReadAsync(Segment, 0, new byte[1], default),
            async () => await device.ListAsync("p", default),
            async () => await device.CreateAsync(Segment, default),
            async () => await device.PutAsync("manifest.json", LogCalls.Pieces([1]), overwrite: false, default),
            async () => await device.LockAsync("the test", default),
        })
        {
            var exception = await Assert.ThrowsAsync<IOException>(call);
            Check(exception, "restore it", options.ContainerName);
        }
    }

    [ConditionalFact]
    public async Task An_account_that_does_not_answer_is_said_to_be_out_of_reach()
    {
        var options = azurite.NewOptions();
        options.CreateClient = client => new BlobServiceClient(
            "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:9/a;",
            client);
        var exception = await Assert.ThrowsAsync<IOException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Check(exception, "can't be reached", "firewall", $"http://127.0.0.1:9/a/{options.ContainerName}");
    }

    [ConditionalFact]
    public async Task A_service_that_takes_too_long_is_given_up()
    {
        var options = azurite.NewOptions(client => client.Transport = _way);
        await (await azurite.OpenAsync(options)).CreateAsync(Segment, default);

        // Only the one request that is never answered has so little time.
        options.RequestTimeout = TimeSpan.FromMilliseconds(100);
        options.RetriesMax = 0;
        var device = new AzureBlobLogDevice(
            BlobClients.Container(options),
            new AzureBlobDeviceSettings { KeyPrefix = options.KeyPrefix, LeaseDuration = options.LeaseDuration });
        _way.Next(FaultyTransport.IsAppend, async (message, _) =>
        {
            var never = new TaskCompletionSource();
            await using (message.CancellationToken.Register(() => never.TrySetCanceled(message.CancellationToken)))
                await never.Task;
        });
        var exception = await Assert.ThrowsAsync<IOException>(
            async () => await device.AppendAsync(Segment, 0, new byte[1], default));
        Check(exception, "no answer in time", "RequestTimeout", device.Location);
    }

    [ConditionalFact]
    public async Task A_client_that_was_made_without_the_given_options_is_refused()
    {
        var options = azurite.NewOptions();
        options.CreateClient = _ => new BlobServiceClient(azurite.Server.ConnectionString);
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Check(exception, "CreateClient", "BlobClientOptions");
    }

    [ConditionalFact]
    public async Task A_secondary_endpoint_is_refused()
    {
        var options = azurite.NewOptions(client => client.GeoRedundantSecondaryUri = azurite.Server.Endpoint);
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Check(exception, "GeoRedundantSecondaryUri", "behind");
    }

    private static void Check(Exception exception, params string[] parts) =>
        Assert.All(parts, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));

    private static Func<HttpMessage, Func<ValueTask>, ValueTask> Answer(int status, string code) => (message, _) =>
    {
        message.Response = new MadeUpResponse(status, code);
        return ValueTask.CompletedTask;
    };
}
