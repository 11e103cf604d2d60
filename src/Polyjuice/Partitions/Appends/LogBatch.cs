using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>Records on their way into the log, and what to do once they are there.</summary>
internal sealed class LogBatch(PartitionNames names, int capacity = 1024)
{
    /// <summary>The records.</summary>
    public readonly ByteWriter Bytes = new(names, capacity);

    /// <summary>What waits for them.</summary>
    public readonly List<DurableAction> Actions = [];

    /// <summary>What is said once they are there, and to whom (<see cref="Ownership.Answer"/>); rare.</summary>
    public List<(NodeId Asker, int Partition, Message Answer)>? Answers;

    /// <summary>Somebody waits for one of them.</summary>
    public bool IsAwaited;

    /// <summary>Where they go, and as which batch: known when they are on their way.</summary>
    public long Position;

    /// <inheritdoc cref="Position"/>
    public BatchId Id;

    /// <summary>When they were sent, on the host's clock, in microseconds.</summary>
    public long SentAt;

    /// <summary>What became of them.</summary>
    public AppendResult? Answer;

    /// <summary>They were tried too early, because what goes before them was not there.</summary>
    public bool IsPutOff;

    public void Clear()
    {
        IsAwaited = IsPutOff = false;
        Answer = null;
        Answers = null;
        Bytes.Clear();
        Actions.Clear();
    }
}
