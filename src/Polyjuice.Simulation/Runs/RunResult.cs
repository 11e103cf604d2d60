using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>What a run came to.</summary>
internal sealed class RunResult
{
    internal RunResult(IReadOnlyList<TransactionRecord> records, IReadOnlyList<FinalAccount> final)
    {
        Records = records;
        Final = final;
    }

    /// <summary>Of its whole stream of events: two runs of one case must agree on it.</summary>
    public required ulong Digest { get; init; }

    /// <summary>Events run.</summary>
    public required long Events { get; init; }

    /// <summary>Virtual time from start to end.</summary>
    public required long VirtualMicroseconds { get; init; }

    /// <summary>What clients did.</summary>
    public required WorkloadKind Workload { get; init; }

    /// <summary>Transactions that clients asked for.</summary>
    public required int Transactions { get; init; }

    /// <summary>Those that they were told to be committed.</summary>
    public required int Committed { get; init; }

    /// <summary>Runs of bodies, for all transactions.</summary>
    public required int Attempts { get; init; }

    /// <summary>Bodies that were run again with the first part served from the record.</summary>
    public required long Resumes { get; init; }

    /// <summary>Aborted attempts by reason, indexed as the engine's statistics are.</summary>
    public required IReadOnlyList<long> AbortsByReason { get; init; }

    /// <summary>What has gone wrong.</summary>
    public required FaultLedger Faults { get; init; }

    /// <summary>Messages that a later one overtook.</summary>
    public required long Reordered { get; init; }

    /// <summary>What the faults have hit.</summary>
    public required ProtocolCoverage Coverage { get; init; }

    /// <summary>Which states of the protocol it has reached, if that was asked for.</summary>
    public Coverage.FeatureSet? Features { get; init; }

    internal IReadOnlyList<TransactionRecord> Records { get; }

    internal IReadOnlyList<FinalAccount> Final { get; }
}
