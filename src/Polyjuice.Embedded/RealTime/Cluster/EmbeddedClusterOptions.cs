using System.ComponentModel.DataAnnotations;
using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Storage;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded;

/// <summary>An embedded cluster's shape. Validated at start, with the option's name.</summary>
public sealed class EmbeddedClusterOptions
{
    /// <summary>The folder of a host's cluster, if none is named.</summary>
    public const string HostData = "data";

    /// <summary>Silos at start. Default 1.</summary>
    [Range(1, 64)]
    public int Silos { get; set; } = 1;

    /// <summary>Log partitions; 0 takes the log store's number if one is given, else the number of silos. Default 0.</summary>
    [Range(0, 65_536)]
    public int Partitions { get; set; }

    /// <summary>How long every message between two different nodes is under way, the client included. Default 0; at most 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan NetworkLatency { get; set; }

    /// <summary>How long a log append takes on top of what the store takes. Default 0; at most 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan AppendLatency { get; set; }

    /// <summary>How long callers wait for an answer before they get a <see cref="TimeoutException"/>. Default 30 s; at least 10 ms.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "24.00:00:00")]
    public TimeSpan ResponseTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long a grain stays in memory unused. Default 15 min; at least 10 ms.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "36500.00:00:00")]
    public TimeSpan CollectionAge { get; set; } = TimeSpan.FromMinutes(15);

    /// <summary>Seed of the nodes' random numbers. Default: another one each time.</summary>
    public ulong Seed { get; set; } = (ulong)Random.Shared.NextInt64();

    /// <summary>The policy in force at start, by the name of a built-in one or as a file's path. Default "occ".</summary>
    [Required]
    public string PolicyName { get; set; } = "occ";

    /// <summary>The policy in force at start, in place of <see cref="PolicyName"/>.</summary>
    public IPolicyCompiler? Policy { get; set; }

    /// <summary>Where the policy in force is kept, in place of both; made if not given.</summary>
    public PolicyStore? PolicyStore { get; set; }

    /// <summary>
    /// Where what was committed is kept: a folder for local files, or "memory" for nothing that outlives the process. A cluster finds again what an earlier one has left in its folder. Default: the folder
    /// "data" for a host's cluster (<c>UseOrleans</c>), memory for one that is started by itself, as tests and tools do.
    /// </summary>
    public string? Data { get; set; }

    /// <summary>Whether every batch is flushed to the disk before it counts. Default <see langword="true"/>; without it, what was committed survives the process, but not the machine.</summary>
    public bool FlushData { get; set; } = true;

    /// <summary>The logs, in place of <see cref="Data"/>. They outlive the cluster.</summary>
    public ILogStore? LogStore { get; set; }

    /// <summary>
    /// Stores that keep each state in a row of its own instead of in the logs, by name. A state goes there whose <c>[TransactionalState(…, storageName)]</c> names one. They outlive the cluster. Slower than the logs; for trying out what
    /// Orleans' own providers will be like, and for tests.
    /// </summary>
    public IDictionary<string, IRowStoreProvider> RowStores { get; } = new Dictionary<string, IRowStoreProvider>(StringComparer.Ordinal);

    /// <summary>The engines' bounds and intervals.</summary>
    public EngineOptions Engine { get; set; } = new();

    /// <summary>Where traces go from the start on; <see langword="null"/>, and so by default, records none. In virtual time, one whose writes complete at once: <see cref="MemoryTraceSink"/>.</summary>
    public ITraceSink? TraceSink { get; set; }

    /// <summary>How traces are recorded.</summary>
    public TraceRecorderOptions Trace { get; set; } = new();

    /// <summary>Where grain interfaces and classes are looked for; empty takes every assembly of the application that refers to this one.</summary>
    public IList<Assembly> ApplicationAssemblies { get; } = [];

    /// <summary>Which grain classes to take; <see langword="null"/> takes all.</summary>
    public Func<Type, bool>? GrainClassFilter { get; set; }

    /// <summary>Adds services for grains' constructors, when the cluster is not part of a host that has its own.</summary>
    public Action<IServiceCollection>? ConfigureServices { get; set; }

    /// <summary>Where the cluster logs, when it is not part of a host; nowhere if not given.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }
}
