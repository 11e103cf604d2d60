namespace Polyjuice.Storage.AzureBlobs;

/// <summary>What a device needs to know besides its container.</summary>
internal sealed record AzureBlobDeviceSettings
{
    /// <summary>What all blob names begin with.</summary>
    public string KeyPrefix { get; init; } = "";

    /// <summary>How long the lock's lease lasts without being renewed.</summary>
    public TimeSpan LeaseDuration { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Blobs per page of a list; <see langword="null"/> leaves it to the service, which takes 5,000.</summary>
    public int? ListPageSize { get; init; }

    /// <summary>
    /// An object of at most this many bytes is put by one request; a longer one in blocks of this size.
    /// </summary>
    public int BlockBytes { get; init; } = 4 << 20;

    /// <summary>
    /// The service takes 50,000 blocks per append blob, one per append; appends whose answer got lost count too.
    /// </summary>
    public int AppendsPerSegmentMax { get; init; } = 49_000;

    /// <summary>The clock of leases.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
