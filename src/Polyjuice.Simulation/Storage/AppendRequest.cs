using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>An append that a process has asked for.</summary>
/// <param name="process">Who asks.</param>
/// <param name="partition">Which log.</param>
/// <param name="position">Where the batch must go.</param>
/// <param name="batchId">Which batch it is.</param>
/// <param name="bytes">What it holds.</param>
/// <param name="behind">The batch that it must come right behind, whose append was under way.</param>
internal sealed class AppendRequest(
    ISimulatedProcess process, int partition, long position, BatchId batchId, byte[] bytes, BatchId? behind = null)
{
    /// <summary>Who asks.</summary>
    public ISimulatedProcess Process { get; } = process;

    /// <summary>Which log.</summary>
    public int Partition { get; } = partition;

    /// <summary>Where the batch must go.</summary>
    public long Position { get; } = position;

    /// <summary>Which batch it is.</summary>
    public BatchId BatchId { get; } = batchId;

    /// <summary>What it holds.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>The batch that it must come right behind, whose append was under way.</summary>
    public BatchId? Behind { get; } = behind;

    internal bool IsWritten { get; set; }

    internal TaskCompletionSource<AppendResult> Answer { get; } = new(
        TaskCreationOptions.RunContinuationsAsynchronously);
}

/// <summary>What becomes of an append.</summary>
internal enum AppendFate : byte
{
    /// <summary>As the profile says.</summary>
    Usual,

    /// <summary>It works.</summary>
    Work,

    /// <summary>It is reported as failed, and nothing was written.</summary>
    FailBefore,

    /// <summary>It is written, and reported as failed.</summary>
    FailAfter,

    /// <summary>It is reported as failed, and turns up later if its position is still free.</summary>
    FailThenAppear,

    /// <summary>Nothing happens until it is released.</summary>
    Hold,
}
