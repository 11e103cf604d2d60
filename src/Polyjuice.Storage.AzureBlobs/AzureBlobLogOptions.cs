using System.ComponentModel.DataAnnotations;
using Azure.Core;
using Azure.Storage.Blobs;
using Polyjuice.Storage;

namespace Orleans.Configuration;

/// <summary>
/// How logs are kept in a container of Azure Storage. One of <see cref="ConnectionString"/>, <see cref="ServiceUri"/>,
/// <see cref="ServiceClient"/> and <see cref="CreateClient"/> says where. Validated at start, with the option's name.
/// </summary>
public sealed class AzureBlobLogOptions : SegmentedLogOptions
{
    /// <summary>
    /// Sets what is different from files: <see cref="SegmentedLogOptions.NewPartitions"/> is 8, because their number
    /// can't be changed, and a cluster in several processes grows.
    /// </summary>
    public AzureBlobLogOptions() : base(newPartitions: 8)
    {
    }

    /// <summary>
    /// The storage account's connection string. A secret: take it from configuration, or better use
    /// <see cref="Credential"/>. Default: none.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>
    /// The blob endpoint, such as <c>https://ACCOUNT.blob.core.windows.net</c>. With
    /// <see cref="Credential"/>, or with a shared access signature in its query. Default: none.
    /// </summary>
    public Uri? ServiceUri { get; set; }

    /// <summary>
    /// Who asks, with <see cref="ServiceUri"/>: a managed identity, for example.
    /// It needs the role <c>Storage Blob Data Contributor</c> on the container. Default: none.
    /// </summary>
    public TokenCredential? Credential { get; set; }

    /// <summary>
    /// A client of the application's: <c>ServiceKey</c> in the configuration takes one from the host's services. The
    /// log makes one of its own beside it, with the same address and credential, and with the bounds on requests and
    /// repetitions that are here; policies and a transport that the application's has are not taken over
    /// (<see cref="CreateClient"/> has them). Default: none.
    /// </summary>
    public BlobServiceClient? ServiceClient { get; set; }

    /// <summary>
    /// Makes the client, from the options that it is given: <c>o => new BlobServiceClient(uri, credential, o)</c>. They
    /// carry this class's bounds on requests and repetitions, and the policy by which the log tells a conflict from its
    /// own repeated append, so a client that was made from other options is refused at start. Add policies and a
    /// transport as you like. Default: none.
    /// </summary>
    public Func<BlobClientOptions, BlobServiceClient>? CreateClient { get; set; }

    /// <summary>The container: 3 to 63 lower-case letters, digits and single hyphens. Default "polyjuice".</summary>
    [Required]
    [RegularExpression(
        "(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*",
        ErrorMessage = "ContainerName has 3 to 63 lower-case letters, digits and single hyphens.")]
    public string ContainerName { get; set; } = "polyjuice";

    /// <summary>
    /// What all blob names begin with, so that several clusters can share a container:
    /// letters, digits and <c>- _ . / =</c>, at most 512. Default: nothing.
    /// </summary>
    [StringLength(512)]
    [RegularExpression(
        "([A-Za-z0-9_=-][A-Za-z0-9_.=-]*/?)*",
        ErrorMessage = "KeyPrefix has letters, digits and - _ . = between single slashes, and does not begin with a "
            + "slash or a dot.")]
    public string KeyPrefix { get; set; } = "";

    /// <summary>Whether to create the container if it is not there. Default <see langword="true"/>.</summary>
    public bool CreateContainer { get; set; } = true;

    /// <summary>
    /// How long the lock stays with a process that has died, or can't reach the account. Renewed after a third of it.
    /// Default 30 s; 15 to 60 s, the service's bounds.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:15", "00:01:00")]
    public TimeSpan LeaseDuration { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a start waits for the lock that another process has, which may have died a moment ago; then it fails.
    /// Default: <see cref="LeaseDuration"/> and 5 s; at most 1 h, 0 fails at once.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan? LockWait { get; set; }

    /// <summary>
    /// How long one request may take before it is given up, and repeated. Default 10 s; 100 ms to 5 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How often a request is repeated that failed in a way that may pass (throttled, busy, unreachable) before the
    /// failure is reported. Default 4; 0 to 20.
    /// </summary>
    [Range(0, 20)]
    public int RetriesMax { get; set; } = 4;

    /// <summary>
    /// The wait before the first repetition; each further one takes twice as long, give or take a fifth, or what the
    /// service asks for. Default 100 ms; 1 ms to 1 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// The longest wait before a repetition. Default 3 s; at least <see cref="RetryDelay"/>, at most 5 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:05:00")]
    public TimeSpan RetryDelayMax { get; set; } = TimeSpan.FromSeconds(3);
}
