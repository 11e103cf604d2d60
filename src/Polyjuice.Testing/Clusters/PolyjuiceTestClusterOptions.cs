using System.ComponentModel.DataAnnotations;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Testing;

/// <summary>The shape of a test cluster. Validated when it starts, with the option's name.</summary>
public sealed class PolyjuiceTestClusterOptions
{
    /// <summary>The most silos at the start.</summary>
    internal const int MaxSilos = 16;

    /// <summary>Silos at the start. Default 2; 1 to 16.</summary>
    [Range(1, MaxSilos)]
    public int Silos { get; set; } = 2;

    /// <summary>
    /// Transaction engines of each silo (<see cref="PolyjuiceOptions.EnginesPerSilo"/>). Default 1, whatever the
    /// machine has; 1 to 16.
    /// </summary>
    [Range(1, 16)]
    public int EnginesPerSilo { get; set; } = 1;

    /// <summary>
    /// Log partitions; 0 takes as many as there are engines at the start. Fixed once a <see cref="DataFolder"/> has
    /// logs. Default 0; 0 to 65,536.
    /// </summary>
    [Range(0, 65_536)]
    public int Partitions { get; set; }

    /// <summary>
    /// How long each message between two silos, or between a silo and the client, is under way, one way. Messages
    /// within a silo are not delayed. Timers of the system count in milliseconds, so a delay is up to about a
    /// millisecond longer. Default 0; at most 10 s.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan NetworkDelay { get; set; }

    /// <summary>How much longer each append to a log takes. Default 0; at most 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan AppendDelay { get; set; }

    /// <summary>
    /// How long after a crash the others declare a silo dead. Orleans' probes, which find it in a deployed cluster, are
    /// not waited for. Default 200 ms; 0 to 1 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00")]
    public TimeSpan FailureDetection { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// What the chances of <see cref="TestSilo.Log"/> and
    /// <see cref="ClusterNetwork.Batches"/> are drawn from. Default 0.
    /// </summary>
    public int Seed { get; set; }

    /// <summary>
    /// Where <see cref="PolyjuiceTestCluster.KeepEvidenceAsync"/> makes a folder for each cluster that has failed.
    /// Default "evidence" beside the program.
    /// </summary>
    [Required]
    public string EvidenceFolder { get; set; } = Path.Combine(AppContext.BaseDirectory, "evidence");

    /// <summary>
    /// A folder for logs in local files, which all silos of the cluster share. It is neither emptied before nor deleted
    /// after. <see langword="null"/>, and so by default, keeps logs in this process's memory.
    /// </summary>
    public string? DataFolder { get; set; }

    /// <summary>
    /// The logs, in place of <see cref="DataFolder"/>. They outlive
    /// the cluster and are not disposed with it. Default: none.
    /// </summary>
    internal ILogStore? Logs { get; set; }

    /// <summary>
    /// The policy table in force at the start: a built-in table's name; anything with a directory separator or ending
    /// in ".json" is a file's path. Default: what silos take by default.
    /// </summary>
    public string? Policy { get; set; }

    /// <summary>
    /// The policy in force at the start, in place of <see cref="Policy"/>:
    /// what <see cref="PolicySource"/> loads. Default: none.
    /// </summary>
    internal IPolicyCompiler? PolicyCompiler { get; set; }

    /// <summary>
    /// Where all silos keep the policy in force, in place of both;
    /// <see langword="null"/> gives each silo a place of its own.
    /// </summary>
    internal PolicyStore? PolicyStore { get; set; }

    /// <summary>How long callers wait for an answer. Default 30 s; 10 ms to 1 h.</summary>
    [Range(typeof(TimeSpan), "00:00:00.01", "01:00:00")]
    public TimeSpan ResponseTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Whether what transactions of the application's grains see and write is recorded
    /// (<see cref="PolyjuiceTestCluster.Judge"/>). States are kept with the number of the write that left them, so logs
    /// of a cluster that records can't be read by one that does not. Default <see langword="false"/>.
    /// </summary>
    public bool RecordsHistory { get; set; }

    /// <summary>Sets the engine's bounds and intervals, on every silo. Default: none.</summary>
    public Action<EngineOptions>? ConfigureEngine { get; set; }

    /// <summary>
    /// Configures every silo, those that join later included; runs after the cluster's own configuration. Called
    /// once for each start of a silo. Default: none.
    /// </summary>
    public Action<ISiloBuilder>? ConfigureSilo { get; set; }

    /// <summary>Configures the client; runs after the cluster's own configuration. Default: none.</summary>
    public Action<IClientBuilder>? ConfigureClient { get; set; }
}
