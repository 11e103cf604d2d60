using Polyjuice.Diagnostics;

namespace Polyjuice.Policies;

/// <summary>
/// Holds the table in force. A swap is one reference write: transactions in flight keep the table that they started with,
/// and mixing tables is safe because a policy affects speed, never correctness. Thread-safe.
/// </summary>
public sealed class PolicyStore
{
    /// <summary>So many policies are remembered at the most; the oldest are forgotten.</summary>
    public const int HistoryMax = 64;

    private readonly Lock _gate = new();
    private IPolicyCompiler _policy;
    private volatile PolicyInForce[] _history;
    private volatile ConflictWatch[] _watches = [];
    private volatile PolicyTable _current;
    private int _compiledAt;
    private int _version;

    /// <summary>Starts with a policy.</summary>
    public PolicyStore(SiteRegistry registry, IPolicyCompiler policy)
    {
        Registry = registry;
        _policy = policy;
        _compiledAt = registry.Version;
        _current = policy.Compile(registry, _version = 1);
        _history = [new PolicyInForce(_version, policy)];
    }

    /// <summary>Whose numbers index the tables.</summary>
    public SiteRegistry Registry { get; }

    /// <summary>The table in force, recompiled first if sites were seen that it does not cover.</summary>
    public PolicyTable Current => Volatile.Read(ref _compiledAt) == Registry.Version ? _current : Recompile();

    /// <summary>The policy that is in force, as it was before it was compiled.</summary>
    public IPolicyCompiler Policy => Volatile.Read(ref _policy);

    /// <summary>The policies that were in force, the oldest first; the last one is. A snapshot, of <see cref="HistoryMax"/> at the most.</summary>
    public IReadOnlyList<PolicyInForce> History => _history;

    /// <summary>The conflict watches of the engines that run by it. A snapshot; of an engine that was not stopped but crashed it stays, and is silent.</summary>
    internal IReadOnlyList<ConflictWatch> Watches => _watches;

    /// <summary>Puts another policy in force from the next transaction on. When it throws, because the policy can't be compiled, nothing has changed.</summary>
    /// <param name="policy">The policy.</param>
    /// <returns>The number of the swap: the table's <see cref="PolicyTable.Version"/>.</returns>
    public int Swap(IPolicyCompiler policy) => TrySwap(policy, expectedVersion: null)!.Value;

    /// <summary>The same, if no other swap has come first.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="expectedVersion">The version that must be in force; any, if <see langword="null"/>.</param>
    /// <returns>The number of the swap, or <see langword="null"/> if another one has come first: then nothing has changed.</returns>
    public int? TrySwap(IPolicyCompiler policy, int? expectedVersion)
    {
        lock (_gate)
        {
            if (expectedVersion is { } expected && expected != _version) return null;
            var seen = Registry.Version;
            var table = policy.Compile(Registry, _version + 1);
            _version++;
            _policy = policy;
            _current = table;
            _history = [.. _history.Skip(_history.Length + 1 - HistoryMax), new PolicyInForce(_version, policy)];
            Volatile.Write(ref _compiledAt, seen);
            return _version;
        }
    }

    /// <summary>An engine runs by it.</summary>
    internal void Add(ConflictWatch watch)
    {
        lock (_gate) _watches = [.. _watches, watch];
    }

    /// <summary>An engine has stopped.</summary>
    internal void Remove(ConflictWatch watch)
    {
        lock (_gate) _watches = [.. _watches.Where(other => other != watch)];
    }

    private PolicyTable Recompile()
    {
        lock (_gate)
        {
            var seen = Registry.Version;
            if (_compiledAt == seen) return _current;
            _current = _policy.Compile(Registry, _version);
            Volatile.Write(ref _compiledAt, seen);
            return _current;
        }
    }
}
