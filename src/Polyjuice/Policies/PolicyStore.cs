namespace Polyjuice.Policies;

/// <summary>
/// Holds the table in force. A swap is one reference write: transactions in flight keep the table that they started with,
/// and mixing tables is safe because a policy affects speed, never correctness. Thread-safe.
/// </summary>
public sealed class PolicyStore
{
    private readonly Lock _gate = new();
    private IPolicyCompiler _policy;
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
    }

    /// <summary>Whose numbers index the tables.</summary>
    public SiteRegistry Registry { get; }

    /// <summary>The table in force, recompiled first if sites were seen that it does not cover.</summary>
    public PolicyTable Current => Volatile.Read(ref _compiledAt) == Registry.Version ? _current : Recompile();

    /// <summary>The policy that is in force, as it was before it was compiled.</summary>
    public IPolicyCompiler Policy => Volatile.Read(ref _policy);

    /// <summary>Puts another policy in force from the next transaction on. When it throws, because the policy can't be compiled, nothing has changed.</summary>
    /// <param name="policy">The policy.</param>
    /// <returns>The number of the swap: the table's <see cref="PolicyTable.Version"/>.</returns>
    public int Swap(IPolicyCompiler policy)
    {
        lock (_gate)
        {
            var seen = Registry.Version;
            var table = policy.Compile(Registry, _version + 1);
            _version++;
            _policy = policy;
            _current = table;
            Volatile.Write(ref _compiledAt, seen);
            return _version;
        }
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
