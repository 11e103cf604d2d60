namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>Hands out the keys of new records, and knows which of them are there. Used on one thread.</summary>
/// <param name="loaded">Records that there were at first.</param>
internal sealed class YcsbInserts(int loaded)
{
    private readonly List<bool> _isTold = [.. Enumerable.Repeat(true, loaded)];

    /// <summary>Keys handed out so far, those of the records that were loaded included.</summary>
    public int Count => _isTold.Count;

    /// <summary>All records with lower keys are there, as clients were told; reads choose among those.</summary>
    public int Known { get; private set; } = loaded;

    /// <summary>A key for a new record.</summary>
    public long Next()
    {
        _isTold.Add(false);
        return _isTold.Count - 1;
    }

    /// <summary>A client was told that its record is there.</summary>
    public void Told(long key)
    {
        _isTold[(int)key] = true;
        while (Known < _isTold.Count && _isTold[Known]) Known++;
    }

    /// <summary>Whether a client was told that the record is there.</summary>
    public bool IsTold(long key) => _isTold[(int)key];
}
