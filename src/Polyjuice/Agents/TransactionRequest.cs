using Polyjuice.Contracts;

namespace Polyjuice.Agents;

/// <summary>What a host knows about a transaction before its body runs.</summary>
internal record TransactionRequest
{
    /// <summary>
    /// The transaction's type: the root grain method, or the explicit name of a transaction started by a client.
    /// </summary>
    public required string Type { get; init; }

    /// <summary>Declared read-only: takes a snapshot timestamp at its start and needs no commit (rule D1).</summary>
    public bool IsReadOnly { get; init; }

    /// <summary>
    /// Bound on the whole, retries included, in microseconds; 0 takes
    /// <see cref="EngineOptions.TransactionTimeoutMicroseconds"/>.
    /// </summary>
    public long TimeoutMicroseconds { get; init; }

    /// <summary>
    /// Whether its body may be run dry first, if its policy wants that (<see cref="ReconnaissanceAttribute"/>);
    /// <see langword="null"/>, and so by default for what has no such attribute, leaves it to
    /// <see cref="EngineOptions.DryRunsByDefault"/>. A host says no for what clients start.
    /// </summary>
    public bool? AllowsReconnaissance { get; init; }

    /// <summary>
    /// What it is going to access, if that is known: takes the place of a dry run where the policy reserves.
    /// </summary>
    public IDeclaredAccessSet? AccessSet { get; init; }

    /// <summary>
    /// What its call says of grains, if it is a call: what the engine learns from what it accesses
    /// (<see cref="EngineOptions.LearnsAccessSets"/>). <see langword="null"/> if nothing is to be learned.
    /// </summary>
    public ICallKeys? CallKeys { get; init; }

    /// <summary>
    /// Attempts at the most; 0 takes <see cref="EngineOptions.MaxAttempts"/>, 1 switches automatic retry off.
    /// </summary>
    public int MaxAttempts { get; init; }

    /// <summary>
    /// Whether its attempts may be told to wait until others have ended (see
    /// <see cref="EngineOptions.ConflictShareTarget"/>). Not if whoever runs it keeps something meanwhile that those
    /// need, such as the turn of a grain that is not reentrant.
    /// </summary>
    public bool MayWaitToStart { get; init; } = true;

    /// <summary>
    /// Since when it is wanted, on the host's clock, in microseconds, if that is earlier than it comes: its place among
    /// those that wait to start goes by it. 0, the default, is now.
    /// </summary>
    public long SinceMicroseconds { get; init; }

    /// <summary>How long it has waited to start its first attempt, in microseconds.</summary>
    public long WaitedMicroseconds { get; init; }
}
