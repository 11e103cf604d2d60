using System.ComponentModel.DataAnnotations;
using Polyjuice.Contracts;

namespace Polyjuice.Training.Replay;

/// <summary>The cluster and the load that a trace is replayed on. Times in microseconds of virtual time.</summary>
internal sealed record ReplaySettings
{
    /// <summary>A table that takes more events for each transaction is hopeless: good ones take some hundred.</summary>
    private const long EventsPerTransactionMax = 1_500;

    private const int TransactionsPerClient = 20;
    private const int TransactionsMin = 1_200;

    /// <summary>
    /// Clients of the closed loop: each makes its next transaction
    /// when the last one has ended. Default 64; 1 to 100,000.
    /// </summary>
    [Range(1, 100_000)]
    public int Clients { get; init; } = 64;

    /// <summary>Silos, a log partition each. Default 2; 1 to 64.</summary>
    [Range(1, 64)]
    public int Silos { get; init; } = 2;

    /// <summary>
    /// Processors of a silo: so many pieces of its work are done at
    /// a time, in the order in which they came. Default 1; 1 to 64.
    /// </summary>
    [Range(1, 64)]
    public int CoresPerSilo { get; init; } = 1;

    /// <summary>How long a message is under way, one way, clients' included. Default 0; at most 10 s.</summary>
    [Range(0L, 10_000_000L)]
    public long NetworkMicroseconds { get; init; }

    /// <summary>How long an append takes. Default 0; at most 10 s.</summary>
    [Range(0L, 10_000_000L)]
    public long AppendMicroseconds { get; init; }

    /// <summary>What work costs.</summary>
    public ReplayCosts Costs { get; init; } = new();

    /// <summary>The engines' bounds and intervals; not written to.</summary>
    public EngineOptions Engine { get; init; } = new();

    /// <summary>Transactions that end before measuring begins. Default 400.</summary>
    [Range(0, 10_000_000)]
    public int Warmup { get; init; } = 400;

    /// <summary>Transactions that are measured. Default 1,200.</summary>
    [Range(1, 10_000_000)]
    public int Measured { get; init; } = 1_200;

    /// <summary>
    /// A replay that has not come to its end by then is cut, and
    /// judged by what it has done. Default 2 minutes of virtual time.
    /// </summary>
    [Range(1_000L, 86_400_000_000L)]
    public long VirtualMax { get; init; } = 120_000_000;

    /// <summary>
    /// The same by the number of simulated events, which bounds the
    /// real time that a hopeless table takes. Default 2 million.
    /// </summary>
    [Range(1_000L, 1_000_000_000_000L)]
    public long EventsMax { get; init; } = 2_000_000;

    /// <summary>
    /// Whether transactions declare exactly what they are going to access, for tables
    /// that reserve (a trace does not say whether the application does). Otherwise
    /// nothing is reserved, and such tables behave as if their admission were "run".
    /// </summary>
    public bool DeclaresAccesses { get; init; }

    /// <summary>Whether a message or an append takes time: otherwise processors are all that is waited for.</summary>
    public bool HasLatencies => this is not { NetworkMicroseconds: 0, AppendMicroseconds: 0 };

    /// <summary>So many measured transactions are long enough that queues fill.</summary>
    /// <param name="clients">Of the closed loop.</param>
    public static int MeasuredFor(int clients) => Math.Max(TransactionsMin, TransactionsPerClient * clients);

    /// <summary>The same replay with so many transactions.</summary>
    /// <param name="measured">Measured ones; half as many warm up.</param>
    public ReplaySettings WithMeasured(int measured) =>
        this with { Warmup = measured / 2, Measured = measured, EventsMax = EventsPerTransactionMax * measured };

    /// <summary>Throws naming the first setting that is out of its bounds.</summary>
    /// <exception cref="ValidationException">One is.</exception>
    public void Validate()
    {
        Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);
        Validator.ValidateObject(Costs, new ValidationContext(Costs), validateAllProperties: true);
        Engine.Validate();
    }
}
