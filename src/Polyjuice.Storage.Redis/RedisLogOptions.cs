using System.ComponentModel.DataAnnotations;
using Polyjuice.Storage;
using StackExchange.Redis;

namespace Orleans.Configuration;

/// <summary>How logs are kept in a Redis server. Validated at start, with the option's name.</summary>
public sealed class RedisLogOptions : SegmentedLogOptions
{
    /// <summary>
    /// The most that <see cref="SegmentedLogOptions.SegmentBytes"/> may be: a key's value has at most 512 MiB.
    /// </summary>
    public const long SegmentBytesMax = 256L << 20;

    /// <summary>
    /// Sets what is different from files: <see cref="SegmentedLogOptions.NewPartitions"/> is 8, because their number
    /// can't be changed, and a cluster in several processes grows; <see cref="SegmentedLogOptions.SegmentBytes"/> is
    /// 16 MiB, because all of it is in memory until it is trimmed.
    /// </summary>
    public RedisLogOptions() : base(newPartitions: 8) => SegmentBytes = 16L << 20;

    /// <summary>
    /// The server, as StackExchange.Redis writes it: <c>redis:6379,user=orders,password=…,ssl=true</c>. A secret: take
    /// it from configuration, or give the password by <see cref="Configure"/>. Time-outs are set by the options here.
    /// Either this or <see cref="Multiplexer"/> must be set. Default: none.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>
    /// A client of the application's, in place of <see cref="ConnectionString"/>: <c>ServiceKey</c> in the
    /// configuration takes one from the host's services. The application disposes of it, after the silo. Time-outs are
    /// the client's own, so <see cref="RequestTimeout"/> says nothing, and an append waits behind what else the
    /// application sends. With <see cref="RedisDurability.EveryAppend"/> it needs <c>allowAdmin=true</c>, to ask how
    /// the server is set. Default: none.
    /// </summary>
    public IConnectionMultiplexer? Multiplexer { get; set; }

    /// <summary>
    /// Configures the client, after the options here: a password, certificates. Default: nothing. Not with
    /// <see cref="Multiplexer"/>.
    /// </summary>
    public Action<ConfigurationOptions>? Configure { get; set; }

    /// <summary>
    /// What all keys begin with, so that several clusters can share a server: letters, digits and <c>- _ . / =</c>, 1
    /// to 512. Default "polyjuice".
    /// </summary>
    [Required]
    [StringLength(512)]
    [RegularExpression(
        "([A-Za-z0-9_=-][A-Za-z0-9_.=-]*/?)*", ErrorMessage = "KeyPrefix has letters, digits and - _ . = between "
        + "single slashes, and does not begin with a slash or a dot.")]
    public string KeyPrefix { get; set; } = "polyjuice";

    /// <summary>
    /// When the server may answer an append. Default <see cref="RedisDurability.EveryAppend"/>: when it is on its
    /// disk.
    /// </summary>
    [EnumDataType(typeof(RedisDurability))]
    public RedisDurability Durability { get; set; }

    /// <summary>
    /// How long the lock stays with a process that has died, or can't reach the server. Renewed after a third of it.
    /// Default 30 s; 5 s to 5 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:05", "00:05:00")]
    public TimeSpan LeaseDuration { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a start waits for the lock that another process has, which may have died a moment ago; then it fails.
    /// Default: <see cref="LeaseDuration"/> and 5 s; at most 1 h, 0 fails at once.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan? LockWait { get; set; }

    /// <summary>
    /// How long one command, or opening a connection, may take before it is given up; the log then tries again. The
    /// client looks once a second. Default 10 s; 1 s to 5 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(10);
}
