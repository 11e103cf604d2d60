using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>Records what is accessed, ordered and attempted here, for traces. On the engine's turn.</summary>
internal interface ITransactionTrace : IOrderTrace
{
    /// <summary>An access is about to be made.</summary>
    void Access(LocalTransaction transaction, Participant participant, SiteInfo site, AccessKind kind);

    /// <summary>An attempt has ended at its agent, which is here.</summary>
    /// <param name="transaction">Its transaction.</param>
    /// <param name="waited">How long that had waited to start, in microseconds.</param>
    /// <param name="attempt">From 1.</param>
    /// <param name="outcome">How it has ended.</param>
    /// <param name="ended">What was run, if there is no other attempt after it.</param>
    void Attempt(LocalTransaction transaction, long waited, int attempt, AbortReason outcome, ITransactionBody? ended);

    /// <summary>
    /// Attempts that the recording has so far. This and the next two: other threads may see them a moment later.
    /// </summary>
    long RecordedAttempts { get; }

    /// <summary>Attempts and accesses within windows that it has not.</summary>
    long DroppedRecords { get; }

    /// <summary>Bytes that it has written.</summary>
    long WrittenBytes { get; }

    /// <summary>A tick.</summary>
    /// <param name="isIdle">Whether it is the last one for now.</param>
    void Tick(bool isIdle);
}

/// <summary>Who records what happens at an engine, if anybody does.</summary>
internal sealed class Recording
{
    /// <summary>Who records; <see langword="null"/> when nobody does, which is all that it costs then.</summary>
    public ITransactionTrace? Recorder { get; set; }

    /// <summary>How many participants have got numbers from recorders before the present one.</summary>
    public int Participants { get; set; }

    /// <summary>In how many windows recorders before the present one have recorded states.</summary>
    public int StateWindows { get; set; }
}
