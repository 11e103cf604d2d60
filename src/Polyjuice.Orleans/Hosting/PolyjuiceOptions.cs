using System.ComponentModel.DataAnnotations;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Orleans.Configuration;

/// <summary>How transactions run. Validated at start, with the option's name.</summary>
public sealed class PolyjuiceOptions
{
    /// <summary>
    /// The name of the logs that transactions use when none are named: those that were added <c>AsDefault</c>.
    /// </summary>
    public const string DefaultLogProvider = "Default";

    /// <summary>
    /// The policy in force at start, by the name of a built-in one or as a file's path. Default "occ".
    /// </summary>
    [Required]
    public string Policy { get; set; } = "occ";

    /// <summary>
    /// The policy in force at start, in place of <see cref="Policy"/>:
    /// what <see cref="PolicySource"/> loads. Default: none.
    /// </summary>
    internal IPolicyCompiler? PolicyCompiler { get; set; }

    /// <summary>
    /// Which of the logs that were added to the silo transactions use, by name. Default
    /// <see cref="DefaultLogProvider"/>; if none were added by that name, logs in this process's memory.
    /// </summary>
    [Required]
    public string LogProvider { get; set; } = DefaultLogProvider;

    /// <summary>
    /// Where transactional states are kept: with storage providers or in this engine's log. All silos must say the
    /// same, and what is written in one place is not read in the other. Default <see cref="StateStorage.Registered"/>.
    /// </summary>
    [EnumDataType(typeof(StateStorage))]
    public StateStorage StateStorage { get; set; }

    /// <summary>
    /// The same for states of one storage's name, which goes before
    /// <see cref="StateStorage"/>; the empty name stands for states that name no storage.
    /// </summary>
    public IDictionary<string, StateStorage> StateStorageOf { get; } = new Dictionary<string, StateStorage>(
        StringComparer.Ordinal);

    /// <summary>
    /// Whether a state that goes to this engine's log, and of which the log holds nothing yet, is looked for with the
    /// storage provider of its name, if the silo has one. If a row of it is there, the grain is not activated: the log
    /// would hide it. That costs one load for each activation of a grain whose state is new, and such a grain can't be
    /// activated while the provider fails. Default yes.
    /// </summary>
    public bool LooksForHiddenRows { get; set; } = true;

    /// <summary>
    /// How long a storage provider may take for one call. Then the call counts as failed: what has become of it is
    /// looked up before anything else is stored there. Default 30 s; 100 ms to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "01:00:00")]
    public TimeSpan StateStorageTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a silo that starts waits until it serves its log partitions, and a call to a grain until the grain's
    /// partition is served. Default 30 s; 100 ms to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "01:00:00")]
    public TimeSpan TakeOverTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long an access waits at the most in a grain that is not <c>[Reentrant]</c>: it holds up the grain's other
    /// calls, one of which may be what it waits for. Then its transaction aborts, and is tried again. Default 200 ms; 1
    /// ms to 10 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:10:00")]
    public TimeSpan NonReentrantWait { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// How many transaction engines a silo runs. Each has its own share of the silo's log partitions, and is busy on
    /// one processor at a time for a part of what its transactions do; a transaction over several of them costs more
    /// than one at one of them. Silos of one cluster may differ. Measure before you set more than one, on silos that
    /// use more than four processors. Default 1; 1 to 16.
    /// </summary>
    [Range(1, 16)]
    public int EnginesPerSilo { get; set; } = 1;

    /// <summary>
    /// How many transactions may be open on a silo at a time; others wait for their turn to begin. 0, the default: as
    /// many as it gets on with, found out while it runs. 1 to 1,000,000 for a fixed number.
    /// </summary>
    [Range(0, 1_000_000)]
    public int OpenTransactions { get; set; }

    /// <summary>
    /// How many calls that start a transaction the silo sends before one of them is answered; others wait for their
    /// turn to be sent, and for no longer than <see cref="StartWait"/>. 0, the default: as many as keep a short queue
    /// where they go, found out while it runs. 1 to 1,000,000 for a fixed number. Clients:
    /// <see cref="PolyjuiceClientOptions"/>.
    /// </summary>
    [Range(0, 1_000_000)]
    public int UnansweredCalls { get; set; }

    /// <summary>
    /// How long a transaction waits for its turn to begin at the most. One that would wait longer, or has, ends with an
    /// <c>OrleansStartTransactionFailedException</c> around an
    /// <c>OrleansTransactionOverloadException</c>: nothing of it has run. Default 5 s; 0 to 10 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:10:00")]
    public TimeSpan StartWait { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long the answer of a call with an idempotency key (<see cref="Polyjuice.Orleans.IdempotencyKey"/>) is kept:
    /// for so long a repeated call gets it. All silos should say the same. Default 24 h; 1 s to 365 days.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "365.00:00:00")]
    public TimeSpan IdempotencyRetention { get; set; } = TimeSpan.FromHours(24);

    /// <summary>
    /// How many bytes the answer of a call with an idempotency key may take, as Orleans' serialiser writes it. A call
    /// with a larger one is aborted. Default 16,384; 64 to 1,048,576.
    /// </summary>
    [Range(64, 1_048_576)]
    public int IdempotentAnswerBytes { get; set; } = 16_384;

    /// <summary>How messages of transactional outboxes are sent.</summary>
    public OutboxOptions Outbox { get; } = new();

    /// <summary>The engine's bounds and intervals.</summary>
    public EngineOptions Engine { get; } = new();

    /// <summary>
    /// Where traces go from the start on; <see langword="null"/>, and
    /// so by default, records none. Each silo writes files of its own.
    /// </summary>
    internal ITraceSink? TraceSink { get; set; }

    /// <summary>
    /// How traces are recorded, if there is a place for them
    /// (<see cref="PolyjuiceSiloBuilderExtensions.AddFileTraces"/>).
    /// </summary>
    public TraceRecorderOptions Trace { get; } = new();

    /// <summary>The policy in force at start.</summary>
    /// <exception cref="OrleansConfigurationException">
    /// <see cref="Policy"/> is neither a built-in one nor the path of a file that is there.
    /// </exception>
    /// <exception cref="PolicyFormatException">The file is not a policy.</exception>
    /// <exception cref="IOException">The file can't be read.</exception>
    internal IPolicyCompiler FirstPolicy()
    {
        if (PolicyCompiler is not null) return PolicyCompiler;
        try
        {
            return PolicySource.Load(Policy);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new OrleansConfigurationException(
                $"{nameof(PolyjuiceOptions)}.{nameof(Policy)} ('Polyjuice:{nameof(Policy)}' in the configuration) is "
                + $"'{Policy}', and there is no file {Path.GetFullPath(Policy)}. It is the path of a policy's file, or "
                + $"the name of a built-in policy: {string.Join(", ", BuiltinPolicies.Names)}.",
                exception);
        }
        catch (ArgumentException exception)
        {
            throw new OrleansConfigurationException(
                $"{nameof(PolyjuiceOptions)}.{nameof(Policy)} is '{Policy}': {exception.Message}", exception);
        }
    }
}
