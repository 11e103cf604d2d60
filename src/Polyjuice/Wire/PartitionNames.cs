namespace Polyjuice.Wire;

/// <summary>
/// Numbers for partitions that are rows. Tables and messages name partitions by number, because that is fast; the logs'
/// numbers are the same everywhere, and those of rows are each node's own: on the wire and in storage a row goes by its
/// name. Kept while the node runs, so that no number ever means another row. Thread-safe, because logs are read in the
/// background.
/// </summary>
internal sealed class PartitionNames
{
    /// <summary>The least number of a row: above all logs'.</summary>
    public const int FirstRow = 1 << 24;

    /// <summary>What stands in a log partition's place when a name follows.</summary>
    public const int Escape = -2;

    private readonly Lock _gate = new();
    private readonly Dictionary<RowKey, int> _numbers = [];
    private readonly Dictionary<int, RowKey> _keys = [];
    private int _next = FirstRow;

    /// <summary>How many rows have a number.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _numbers.Count;
        }
    }

    public static bool IsRow(int partition) => partition >= FirstRow;

    /// <summary>The row's number at this node; its first use makes it.</summary>
    public int NumberOf(RowKey key)
    {
        lock (_gate)
        {
            if (_numbers.TryGetValue(key, out var number)) return number;
            if (_next == int.MaxValue)
                throw new InvalidOperationException(
                    "Two thousand million rows have been named since this node started: restart it.");
            number = _next++;
            _numbers.Add(key, number);
            _keys.Add(number, key);
            return number;
        }
    }

    /// <summary>The row of a number; <see langword="false"/> for a log's.</summary>
    public bool TryGetKey(int partition, out RowKey key)
    {
        lock (_gate) return _keys.TryGetValue(partition, out key);
    }

    /// <summary>How a partition is called in messages for people.</summary>
    public string Describe(int partition) =>
        TryGetKey(partition, out var key) ? $"row {key}" : $"log partition {partition}";
}
