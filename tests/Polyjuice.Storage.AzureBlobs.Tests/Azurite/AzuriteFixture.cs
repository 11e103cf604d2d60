using Azure.Storage.Blobs;
using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>One Azurite for all classes that ask for it, which take a container each time.</summary>
[CollectionDefinition(Name)]
public sealed class AzuriteFixture : IAsyncLifetime, ICollectionFixture<AzuriteFixture>
{
    public const string Name = "Azurite";
    private AzuriteServer? _server;

    internal AzuriteServer Server =>
        _server ?? throw new InvalidOperationException(AzuriteInstallation.Missing ?? "Azurite was not started.");

    public async Task InitializeAsync()
    {
        // Then its tests are skipped; or they fail, each with the reason.
        if (AzuriteInstallation.Missing is null) _server = await AzuriteServer.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
    }

    /// <summary>Options for a container that nobody has, with bounds that fit a service on this machine.</summary>
    internal AzureBlobLogOptions NewOptions(Action<BlobClientOptions>? client = null) => new()
    {
        CreateClient = options =>
        {
            client?.Invoke(options);
            return new BlobServiceClient(Server.ConnectionString, options);
        },
        ContainerName = $"test-{Guid.NewGuid():N}",
        LockWait = TimeSpan.Zero,
        RetryDelay = TimeSpan.FromMilliseconds(1),
        RetryDelayMax = TimeSpan.FromMilliseconds(10),
        RetriesMax = 3,
    };

    /// <summary>A device in the container that options name.</summary>
    internal async Task<AzureBlobLogDevice> OpenAsync(
        AzureBlobLogOptions options, AzureBlobDeviceSettings? settings = null)
    {
        var device = new AzureBlobLogDevice(
            BlobClients.Container(options),
            (settings ?? new()) with { KeyPrefix = options.KeyPrefix, LeaseDuration = options.LeaseDuration });
        await device.PrepareAsync(options.CreateContainer, CancellationToken.None);
        return device;
    }
}
