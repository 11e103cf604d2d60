using System.Diagnostics.Metrics;

namespace Polyjuice.Policies;

/// <summary>
/// Holds the table in force. A swap is one reference write: transactions in flight keep the table that they started
/// with, and mixing tables is safe because a policy affects speed, never correctness. Thread-safe.
/// </summary>
internal sealed class PolicyStore
{
    /// <summary>So many policies are remembered at the most; the oldest are forgotten.</summary>
    public const int HistoryMax = 64;

    private readonly Lock _gate = new();
    private volatile PolicyInForce[] _history;
    private volatile IConflictWatch[] _watches = [];
    private volatile Meter[] _meters = [];
    private volatile PolicyTable _current;
    private int _compiledAt;

    /// <summary>Starts with a policy.</summary>
    internal PolicyStore(SiteRegistry registry, IPolicyCompiler policy)
    {
        Registry = registry;
        _compiledAt = registry.Version;
        _history = [new PolicyInForce(1, policy)];
        _current = policy.Compile(registry, InForce.Version);
    }

    /// <summary>
    /// Another policy has come into force. On the thread of who has swapped it in, after the swap: of several at one
    /// time in any order.
    /// Must not block or throw.
    /// </summary>
    public event Action<PolicyInForce>? Swapped;

    /// <summary>Whose numbers index the tables.</summary>
    internal SiteRegistry Registry { get; }

    /// <summary>The table in force, recompiled first if sites were seen that it does not cover.</summary>
    internal PolicyTable Current => Volatile.Read(ref _compiledAt) == Registry.Version ? _current : Recompile();

    /// <summary>The policy that is in force, as it was before it was compiled.</summary>
    public IPolicyCompiler Policy => InForce.Policy;

    /// <summary>
    /// The policies that were in force, the oldest first; the last
    /// one is. A snapshot, of <see cref="HistoryMax"/> at the most.
    /// </summary>
    public IReadOnlyList<PolicyInForce> History => _history;

    /// <summary>
    /// The conflict watches of the engines that run by it. A snapshot; of
    /// an engine that was not stopped but crashed it stays, and is silent.
    /// </summary>
    internal IReadOnlyList<IConflictWatch> Watches => _watches;

    /// <summary>
    /// Whether an engine that runs by it measures with that meter. Asked when an instrument is published, it tells the
    /// engines of one cluster from others in the process.
    /// </summary>
    /// <param name="meter">A meter.</param>
    public bool IsMeasuredBy(Meter meter) => ReferenceEquals(meter.Scope, this) || _meters.Contains(meter);

    /// <summary>
    /// Puts another policy in force from the next transaction on. When it
    /// throws, because the policy can't be compiled, nothing has changed.
    /// </summary>
    /// <param name="policy">The policy.</param>
    /// <returns>The number of the swap: its <see cref="PolicyInForce.Version"/>.</returns>
    public int Swap(IPolicyCompiler policy) => TrySwap(policy, expectedVersion: null)!.Value;

    /// <summary>The same, if no other swap has come first.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="expectedVersion">The version that must be in force; any, if <see langword="null"/>.</param>
    /// <returns>
    /// The number of the swap, or <see langword="null"/> if another one has come first: then nothing has changed.
    /// </returns>
    public int? TrySwap(IPolicyCompiler policy, int? expectedVersion)
    {
        PolicyInForce next;
        lock (_gate)
        {
            if (expectedVersion is { } expected && expected != InForce.Version) return null;
            var seen = Registry.Version;
            next = new PolicyInForce(InForce.Version + 1, policy);
            _current = policy.Compile(Registry, next.Version);
            _history = [.. _history.Skip(_history.Length + 1 - HistoryMax), next];
            Volatile.Write(ref _compiledAt, seen);
        }

        Swapped?.Invoke(next);
        return next.Version;
    }

    private PolicyInForce InForce => _history[^1];

    /// <summary>An engine runs by it.</summary>
    internal void Add(IConflictWatch watch)
    {
        lock (_gate) _watches = [.. _watches, watch];
    }

    /// <summary>An engine measures with a meter; of a host it is one, and several engines' in turn.</summary>
    internal void Add(Meter meter)
    {
        lock (_gate)
        {
            if (!IsMeasuredBy(meter)) _meters = [.. _meters, meter];
        }
    }

    /// <summary>An engine has stopped.</summary>
    internal void Remove(IConflictWatch watch)
    {
        lock (_gate) _watches = [.. _watches.Where(other => other != watch)];
    }

    private PolicyTable Recompile()
    {
        lock (_gate)
        {
            var seen = Registry.Version;
            if (_compiledAt == seen) return _current;
            _current = Policy.Compile(Registry, InForce.Version);
            Volatile.Write(ref _compiledAt, seen);
            return _current;
        }
    }
}
