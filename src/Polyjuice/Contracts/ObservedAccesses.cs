namespace Polyjuice.Contracts;

/// <summary>
/// What accesses met, counted on the engine's turn while a table that is chosen at run time is in force. Other threads
/// may read and see slightly old values. A mutable struct.
/// </summary>
internal struct ObservedAccesses
{
    /// <summary>Accesses, those of aborted attempts included.</summary>
    public long Accesses;

    /// <summary>Those of them that update.</summary>
    public long Updates;

    /// <summary>Those that found another transaction there, in conflict and not through.</summary>
    public long Met;

    /// <summary>Those of <see cref="Met"/> that were not the first access of their transaction on this node.</summary>
    public long MetLater;

    /// <summary>Accesses to participants that were hot.</summary>
    public long Hot;

    /// <summary>Updates of what the transaction had accessed before.</summary>
    public long Upgrades;

    /// <summary>Accesses of transactions that began on another node.</summary>
    public long Remote;

    /// <summary>Adds another engine's, as they are now.</summary>
    public void Add(ref ObservedAccesses other)
    {
        Accesses += Volatile.Read(ref other.Accesses);
        Updates += Volatile.Read(ref other.Updates);
        Met += Volatile.Read(ref other.Met);
        MetLater += Volatile.Read(ref other.MetLater);
        Hot += Volatile.Read(ref other.Hot);
        Upgrades += Volatile.Read(ref other.Upgrades);
        Remote += Volatile.Read(ref other.Remote);
    }
}
