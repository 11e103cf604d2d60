using Orleans.Runtime;

namespace Polyjuice.Orleans;

/// <summary>
/// What those who operate a silo ask of its transactions. A service of
/// every silo with <c>UsePolyjuice()</c>. Thread-safe; calls no grain.
/// </summary>
public interface IPolyjuiceSilo
{
    /// <summary>How far the silo has got. Any time, before its start and after its end included.</summary>
    SiloReadiness Readiness { get; }

    /// <summary>
    /// Whether one of the silo's engines has stopped by itself: an invariant is broken, or the other silos have
    /// declared this one dead and settled its transactions. Only a restart of the process helps. The log says which.
    /// </summary>
    bool HasFailed { get; }

    /// <summary>
    /// Whether a transaction that was started on this silo has not ended yet, or waits for its turn to begin. A moment
    /// old: on a silo that takes calls it says little.
    /// </summary>
    bool HasTransactions { get; }

    /// <summary>
    /// The silo that serves a grain's log partition, and so has the grain if it has transactional states;
    /// <see langword="null"/> as long as this silo knows of none.
    /// </summary>
    /// <param name="grain">The grain.</param>
    SiloAddress? OwnerOf(GrainId grain);

    /// <summary>
    /// Puts a policy table in force on this silo: transactions that begin now run under it, those in flight end under
    /// the one before. On this silo alone, and until it stops; what is published takes its place.
    /// </summary>
    /// <param name="nameOrPath">
    /// A built-in table's name; anything with a directory separator or ending in ".json" is a file's path.
    /// </param>
    /// <exception cref="ArgumentException">
    /// Neither a built-in table nor a path; the message lists the built-in ones. Nothing has changed.
    /// </exception>
    /// <exception cref="Polyjuice.Policies.PolicyFormatException">
    /// The file is not a policy. Nothing has changed.
    /// </exception>
    /// <exception cref="IOException">The file can't be read. Nothing has changed.</exception>
    void SwapPolicy(string nameOrPath);
}

/// <summary>How far a silo has got.</summary>
/// <param name="Membership">Its status in the cluster, as it sees that itself.</param>
/// <param name="Partitions">Log partitions of the cluster; 0 before the logs are open.</param>
/// <param name="Owned">
/// How many of them are this silo's by the cluster's membership. With more silos than partitions, 0 for some.
/// </param>
/// <param name="Served">How many of those it serves: their logs are fenced and read.</param>
/// <param name="IsStopping">Whether it has begun to stop.</param>
public sealed record SiloReadiness(SiloStatus Membership, int Partitions, int Owned, int Served, bool IsStopping)
{
    /// <summary>
    /// How many of those that it serves have logs that can't be
    /// written at present: transactions that need them are refused.
    /// </summary>
    public int Unwritable { get; init; }

    /// <summary>
    /// Why the first of its partitions that it can't take over, or whose log can't be written, failed when that was
    /// last tried; <see langword="null"/> if nothing is known to fail.
    /// </summary>
    public string? Problem { get; init; }

    /// <summary>
    /// Whether it has served all that was its own, and now reads the logs of partitions that have come to it since, as
    /// when another silo has left, and nothing is known to keep it from that. What needs those partitions waits; all
    /// else goes on.
    /// </summary>
    public bool IsTakingOver { get; init; }

    /// <summary>
    /// Whether it is a member of the cluster, serves all that is its
    /// own to serve, can write all of its logs, and does not stop.
    /// </summary>
    public bool IsReady =>
        Membership == SiloStatus.Active && Partitions > 0 && Served == Owned && Unwritable == 0 && !IsStopping;

    /// <inheritdoc/>
    public override string ToString() =>
        IsStopping ? "stopping"
        : Membership != SiloStatus.Active ? $"not an active member yet ({Membership})"
        : Served < Owned ? $"serves {Served} of its {Owned} log partitions{(Problem is null ? "" : $"; {Problem}")}"
        : Unwritable > 0 ? $"can't write {Unwritable} of its {Owned} logs; {Problem}"
        : $"active, serves {Served} of {Partitions} log partitions";
}
