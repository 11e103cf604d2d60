namespace Polyjuice.Isolation;

/// <summary>Who wrote a value, and whether it was the last that its transaction wrote to the key.</summary>
internal record struct Written(int Transaction, bool IsFinal);

/// <summary>A read of one key by a transaction that took effect.</summary>
internal readonly record struct ReadAt(int Transaction, MicroOp Op);

/// <summary>All that a history says about one key.</summary>
internal sealed class KeyData(int id, HistoryKey key, bool isList)
{
    public int Id { get; } = id;

    public HistoryKey Key { get; } = key;

    public bool IsList { get; } = isList;

    /// <summary>By value; aborted and unknown transactions included.</summary>
    public Dictionary<long, Written> Writers { get; } = [];

    /// <summary>What each transaction wrote, in the order of invocations and steps.</summary>
    public List<(int Transaction, long Value)> Writes { get; } = [];

    public List<ReadAt> Reads { get; } = [];

    /// <summary>Who uses a register, aborted and unknown transactions included; empty for a list.</summary>
    public List<int> Accessors { get; } = [];

    /// <summary>A list's version order, without repetitions; empty for a register.</summary>
    public long[] Order { get; set; } = [];

    public Dictionary<long, int> Positions { get; set; } = [];

    public override string ToString() => $"{(IsList ? "list" : "register")} {Key}";
}
