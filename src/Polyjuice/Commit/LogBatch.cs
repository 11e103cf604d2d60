using Polyjuice.Hosting;

namespace Polyjuice.Commit;

/// <summary>Records on their way into the log, and what to do once they are there.</summary>
internal sealed class LogBatch(PartitionNames names, int capacity = 1024)
{
    /// <summary>The records.</summary>
    public readonly ByteWriter Bytes = new(names, capacity);

    /// <summary>What waits for them.</summary>
    public readonly List<DurableAction> Actions = [];

    /// <summary>Somebody waits for one of them.</summary>
    public bool IsAwaited;

    public void Clear()
    {
        IsAwaited = false;
        Bytes.Clear();
        Actions.Clear();
    }
}
