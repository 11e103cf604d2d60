using System.ComponentModel.DataAnnotations;
using System.Net;

namespace BankSilo.Settings;

/// <summary>What a deployment decides: the configuration's section <c>Silo</c>. Environment variables are <c>Silo__NAME</c>. Validated at start, with the setting's name.</summary>
public sealed class SiloSettings : IValidatableObject
{
    /// <summary>The section's name.</summary>
    public const string Section = "Silo";

    /// <summary>The section with <c>PolyjuiceOptions</c>.</summary>
    public const string PolyjuiceSection = "Polyjuice";

    /// <summary>The section with <c>AzureBlobLogOptions</c>.</summary>
    public const string AzureBlobLogSection = "AzureBlobLog";

    /// <summary>The section with <c>FileLogOptions</c>.</summary>
    public const string FileLogSection = "FileLog";

    /// <summary>The silo's name in logs and dashboards. Default: the machine's name, which is the pod's.</summary>
    public string? Name { get; set; }

    /// <summary>The cluster: silos of one cluster find each other. Another name for each blue-green side. Default "bank".</summary>
    [Required]
    public string ClusterId { get; set; } = "bank";

    /// <summary>The service: outlives clusters. Default "bank".</summary>
    [Required]
    public string ServiceId { get; set; } = "bank";

    /// <summary>How silos find each other. Default <see cref="SiloClustering.Localhost"/>.</summary>
    public SiloClustering Clustering { get; set; }

    /// <summary>The storage account with the membership table, for <see cref="SiloClustering.AzureTable"/>. A secret.</summary>
    public string? ClusteringConnectionString { get; set; }

    /// <summary>The silo port of the silo that has the membership, for <see cref="SiloClustering.Localhost"/>. Default 0: this silo.</summary>
    [Range(0, 65_535)]
    public int PrimaryPort { get; set; }

    /// <summary>The address by which other silos and clients reach this one; in Kubernetes the pod's. Default: 127.0.0.1 with <see cref="SiloClustering.Localhost"/>, otherwise required.</summary>
    public string? AdvertisedAddress { get; set; }

    /// <summary>Where silos speak to each other. Default 11111.</summary>
    [Range(1, 65_535)]
    public int SiloPort { get; set; } = 11_111;

    /// <summary>Where Orleans clients come in. Default 30000.</summary>
    [Range(1, 65_535)]
    public int GatewayPort { get; set; } = 30_000;

    /// <summary>The bank's own HTTP interface. Default 8080.</summary>
    [Range(1, 65_535)]
    public int HttpPort { get; set; } = 8_080;

    /// <summary>Health and metrics. Default 8081.</summary>
    [Range(1, 65_535)]
    public int ManagementPort { get; set; } = 8_081;

    /// <summary>Where transaction logs are. Default <see cref="SiloLogs.Memory"/>.</summary>
    public SiloLogs Logs { get; set; }

    /// <summary>
    /// How long the silo takes at the most to stop: its partitions go to others while calls that it has begun end. Whatever sends SIGTERM must wait for longer before it kills. Default 30 s; 1 s to 10 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan DrainTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How often to look whether the file that <c>Polyjuice:Policy</c> names has changed; then it is in force from the next transaction on. Default 10 s; 0.1 s to 1 h.</summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "01:00:00")]
    public TimeSpan PolicyCheckInterval { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>An OpenTelemetry collector that takes OTLP over HTTP ("http://collector:4318"), to which metrics go. Default: none.</summary>
    public Uri? OtlpEndpoint { get; set; }

    /// <summary>How often metrics are sent there. Default 15 s; 1 s to 10 min.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan OtlpInterval { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>Whether an activity for each transaction is sent there, too: a good deal more than metrics. Default no.</summary>
    public bool OtlpTraces { get; set; }

    /// <summary>The container that traces are written to, in the storage account of the logs, for the trainer to read; <c>Polyjuice:Trace</c> says how much. It must be there. Default: none are written.</summary>
    public string? TraceContainer { get; set; }

    /// <summary>
    /// The container that policies are published in, in the storage account of the logs: the silo follows them, and <c>Polyjuice:Policy</c> is what it has until there are any; that file is not looked at again. It must be there. Default: it follows none.
    /// </summary>
    public string? PolicyContainer { get; set; }

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (Clustering == SiloClustering.AzureTable && string.IsNullOrEmpty(ClusteringConnectionString))
            yield return new($"{Section}:{nameof(ClusteringConnectionString)} is missing: Clustering is AzureTable.", [nameof(ClusteringConnectionString)]);
        if (Clustering != SiloClustering.Localhost && string.IsNullOrEmpty(AdvertisedAddress))
            yield return new($"{Section}:{nameof(AdvertisedAddress)} is missing: in Kubernetes it is the pod's address, by the downward API.", [nameof(AdvertisedAddress)]);
        if (AdvertisedAddress is { Length: > 0 } && !IPAddress.TryParse(AdvertisedAddress, out _))
            yield return new($"{Section}:{nameof(AdvertisedAddress)} is \"{AdvertisedAddress}\", which is not an IP address.", [nameof(AdvertisedAddress)]);
        if (OtlpEndpoint is { } otlp && (!otlp.IsAbsoluteUri || otlp.Scheme is not ("http" or "https")))
            yield return new($"{Section}:{nameof(OtlpEndpoint)} is \"{otlp}\", which is not an http or https address such as http://collector:4318.", [nameof(OtlpEndpoint)]);
        if (Logs != SiloLogs.AzureBlobs && (TraceContainer ?? PolicyContainer) is not null)
            yield return new($"{Section}:{nameof(TraceContainer)} and {Section}:{nameof(PolicyContainer)} are in the logs' storage account: they need Logs to be AzureBlobs.", [nameof(TraceContainer)]);
        int[] ports = [SiloPort, GatewayPort, HttpPort, ManagementPort];
        if (ports.Distinct().Count() < ports.Length)
            yield return new($"{Section}: SiloPort, GatewayPort, HttpPort and ManagementPort must differ.", [nameof(SiloPort)]);
    }
}
