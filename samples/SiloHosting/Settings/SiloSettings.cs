using System.ComponentModel.DataAnnotations;
using System.Net;

namespace SiloHosting.Settings;

/// <summary>
/// What a deployment decides: the configuration's section <c>Silo</c>. Environment variables are <c>Silo__NAME</c>.
/// Validated at start, with the setting's name.
/// </summary>
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

    /// <summary>The section with <c>PublishedPoliciesOptions</c>.</summary>
    public const string PoliciesSection = "Policies";

    /// <summary>The silo's name in logs and dashboards. Default: the machine's name, which is the pod's.</summary>
    public string? Name { get; set; }

    /// <summary>
    /// The cluster: silos of one cluster find each other. Another name
    /// for each blue-green side. Default: the application's name.
    /// </summary>
    [Required]
    public string ClusterId { get; set; } = "silo";

    /// <summary>The service: outlives clusters. Default: the application's name.</summary>
    [Required]
    public string ServiceId { get; set; } = "silo";

    /// <summary>How silos find each other. Default <see cref="SiloClustering.Localhost"/>.</summary>
    public SiloClustering Clustering { get; set; }

    /// <summary>
    /// The storage account with the membership table, for <see cref="SiloClustering.AzureTable"/>. A secret.
    /// </summary>
    public string? ClusteringConnectionString { get; set; }

    /// <summary>
    /// The silo port of the silo that has the membership, for
    /// <see cref="SiloClustering.Localhost"/>. Default 0: this silo.
    /// </summary>
    [Range(0, 65_535)]
    public int PrimaryPort { get; set; }

    /// <summary>
    /// The address by which other silos and clients reach this one; in Kubernetes the pod's. Default: 127.0.0.1 with
    /// <see cref="SiloClustering.Localhost"/>, otherwise required.
    /// </summary>
    public string? AdvertisedAddress { get; set; }

    /// <summary>Where silos speak to each other. Default 11111.</summary>
    [Range(1, 65_535)]
    public int SiloPort { get; set; } = 11_111;

    /// <summary>Where Orleans clients come in. Default 30000.</summary>
    [Range(1, 65_535)]
    public int GatewayPort { get; set; } = 30_000;

    /// <summary>The application's own HTTP interface. Default 8080.</summary>
    [Range(1, 65_535)]
    public int HttpPort { get; set; } = 8_080;

    /// <summary>Health and metrics. Default 8081.</summary>
    [Range(1, 65_535)]
    public int ManagementPort { get; set; } = 8_081;

    /// <summary>Where transaction logs are. Default <see cref="SiloLogs.Memory"/>.</summary>
    public SiloLogs Logs { get; set; }

    /// <summary>
    /// How long the silo takes at the most to stop: its partitions go to others while calls that it has begun end.
    /// Whatever sends SIGTERM must wait for longer before it kills. Default 30 s; 1 s to 10 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan DrainTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// An OpenTelemetry collector that takes OTLP over HTTP
    /// ("http://collector:4318"), to which metrics go. Default: none.
    /// </summary>
    public Uri? OtlpEndpoint { get; set; }

    /// <summary>How often metrics are sent there. Default 15 s; 1 s to 10 min.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan OtlpInterval { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// Whether an activity for each transaction is sent there, too: a good deal more than metrics. Default no.
    /// </summary>
    public bool OtlpTraces { get; set; }

    /// <summary>
    /// The folder that traces are written to, for the trainer to read; <c>Polyjuice:Trace</c> says how much. Made if it
    /// is not there. Default: none are written.
    /// </summary>
    public string? TraceFolder { get; set; }

    /// <summary>
    /// The same with a container in the storage account of the logs, which must be there, in place of
    /// <see cref="TraceFolder"/>. Default: none.
    /// </summary>
    public string? TraceContainer { get; set; }

    /// <summary>
    /// The folder that policies are published in: the silo follows them, and <c>Polyjuice:Policy</c> is what it has
    /// until there are any; the section <c>Policies</c> says how. It may be read-only, and then a release that turns
    /// out worse is put back at each silo for itself. Default: it follows none.
    /// </summary>
    public string? PolicyFolder { get; set; }

    /// <summary>
    /// The same with a container in the storage account of the logs, which must be there, in place of
    /// <see cref="PolicyFolder"/>. Default: none.
    /// </summary>
    public string? PolicyContainer { get; set; }

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (Clustering == SiloClustering.AzureTable && string.IsNullOrEmpty(ClusteringConnectionString))
            yield return new(
                $"{Section}:{nameof(ClusteringConnectionString)} is missing: Clustering is AzureTable.",
                [nameof(ClusteringConnectionString)]);
        if (Clustering != SiloClustering.Localhost && string.IsNullOrEmpty(AdvertisedAddress))
            yield return new(
                $"{Section}:{nameof(AdvertisedAddress)} is missing: in Kubernetes it is the pod's address, by the "
                + "downward API.",
                [nameof(AdvertisedAddress)]);
        if (AdvertisedAddress is { Length: > 0 } && !IPAddress.TryParse(AdvertisedAddress, out _))
            yield return new(
                $"{Section}:{nameof(AdvertisedAddress)} is \"{AdvertisedAddress}\", which is not an IP address.",
                [nameof(AdvertisedAddress)]);
        if (OtlpEndpoint is { } otlp && (!otlp.IsAbsoluteUri || otlp.Scheme is not ("http" or "https")))
            yield return new(
                $"{Section}:{nameof(OtlpEndpoint)} is \"{otlp}\", which is not an http or https address such as "
                + "http://collector:4318.",
                [nameof(OtlpEndpoint)]);
        if (Logs != SiloLogs.AzureBlobs && (TraceContainer ?? PolicyContainer) is not null)
            yield return new(
                $"{Section}:{nameof(TraceContainer)} and {Section}:{nameof(PolicyContainer)} are in the logs' storage "
                + "account: they need Logs to be AzureBlobs.",
                [nameof(TraceContainer)]);
        if (!string.IsNullOrEmpty(TraceFolder) && !string.IsNullOrEmpty(TraceContainer))
            yield return new(
                $"{Section}:{nameof(TraceFolder)} and {Section}:{nameof(TraceContainer)} are both given, and traces go "
                + "to one place: leave one out, or set it to nothing.",
                [nameof(TraceFolder)]);
        if (!string.IsNullOrEmpty(PolicyFolder) && !string.IsNullOrEmpty(PolicyContainer))
            yield return new(
                $"{Section}:{nameof(PolicyFolder)} and {Section}:{nameof(PolicyContainer)} are both given, and a silo "
                + "follows one place: leave one out, or set it to nothing.",
                [nameof(PolicyFolder)]);
        int[] ports = [SiloPort, GatewayPort, HttpPort, ManagementPort];
        if (ports.Distinct().Count() < ports.Length)
            yield return new(
                $"{Section}: SiloPort, GatewayPort, HttpPort and ManagementPort must differ.", [nameof(SiloPort)]);
    }
}
