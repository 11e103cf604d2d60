using System.ComponentModel.DataAnnotations;
using Npgsql;
using Polyjuice.Storage;

namespace Orleans.Configuration;

/// <summary>How logs are kept in a PostgreSQL database. Validated at start, with the option's name.</summary>
public sealed class PostgreSqlLogOptions : SegmentedLogOptions
{
    /// <summary>
    /// Sets what is different from files: <see cref="SegmentedLogOptions.NewPartitions"/> is 8, because their number
    /// can't be changed, and a cluster in several processes grows.
    /// </summary>
    public PostgreSqlLogOptions() : base(newPartitions: 8)
    {
    }

    /// <summary>
    /// The database, as Npgsql writes it: <c>Host=db;Database=orders;Username=orders;Password=…</c>. Several hosts,
    /// with commas between them, are those of one cluster: the one that takes writes is used. A secret: take it from
    /// configuration, or give the password by <see cref="ConfigureDataSource"/>. Time-outs, the pool's size and
    /// <c>Enlist</c> are set by the options here. Either this or <see cref="DataSource"/> must be set.
    /// Default: none.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>
    /// A data source of the application's, in place of <see cref="ConnectionString"/>: <c>ServiceKey</c> in the
    /// configuration takes one from the host's services. The application disposes of it, after the silo. Its
    /// connections, the time to open one and the pool's size are as it says, so <see cref="ConnectionsMax"/> says
    /// nothing. What its sessions lack is said at start. Default: none.
    /// </summary>
    public NpgsqlDataSource? DataSource { get; set; }

    /// <summary>
    /// Configures the data source, after the options here: a password that changes
    /// (<c>UsePeriodicPasswordProvider</c>), certificates, loggers. Default: nothing. Not with
    /// <see cref="DataSource"/>.
    /// </summary>
    public Action<NpgsqlDataSourceBuilder>? ConfigureDataSource { get; set; }

    /// <summary>
    /// The schema that the tables are in: 1 to 63 of <c>a-z 0-9 _</c>, no digit first. Default "polyjuice".
    /// </summary>
    [Required]
    [RegularExpression(
        "[a-z_][a-z0-9_]{0,62}",
        ErrorMessage = "Schema has 1 to 63 lower-case letters, digits and underscores, and does not begin with a "
        + "digit.")]
    public string Schema { get; set; } = "polyjuice";

    /// <summary>
    /// What all names begin with, so that several clusters can share a schema: letters, digits and <c>- _ . / =</c>,
    /// at most 512. Default: nothing.
    /// </summary>
    [StringLength(512)]
    [RegularExpression(
        "([A-Za-z0-9_=-][A-Za-z0-9_.=-]*/?)*", ErrorMessage = "KeyPrefix has letters, digits and - _ . = between "
        + "single slashes, and does not begin with a slash or a dot.")]
    public string KeyPrefix { get; set; } = "";

    /// <summary>
    /// Whether to create the schema and the tables if they are not there. Default <see langword="true"/>.
    /// </summary>
    public bool CreateSchema { get; set; } = true;

    /// <summary>
    /// How long the lock stays with a process that has died, or can't reach the database. Renewed after a third of it.
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
    /// How long one statement, or opening a connection, may take before it is given up; the log then tries again.
    /// Rounded up to whole seconds. Default 10 s; 1 s to 5 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Connections that a silo has open at most. An append takes one for as long as it is under way, so more than one
    /// for each partition that a silo serves, and a few more, are of no use. Default 16; 2 to 1,000.
    /// </summary>
    [Range(2, 1_000)]
    public int ConnectionsMax { get; set; } = 16;
}
