using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>What became of the operations of one type in an interval. Written on the clients' one thread.</summary>
public sealed class OperationCounts
{
    private readonly long[] _outcomes = new long[(int)OperationOutcome.InDoubt + 1];

    /// <summary>Operations with that outcome.</summary>
    public long this[OperationOutcome outcome] => _outcomes[(int)outcome];

    /// <summary>Of the acknowledged operations.</summary>
    public LatencyHistogram Latency { get; } = new();

    internal void Count(OperationOutcome outcome, TimeSpan latency)
    {
        _outcomes[(int)outcome]++;
        if (outcome == OperationOutcome.Committed) Latency.Record(latency);
    }
}
