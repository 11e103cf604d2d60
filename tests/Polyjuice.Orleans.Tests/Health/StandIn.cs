using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Silos;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tests.Health;

/// <summary>A silo that is as a test says.</summary>
internal sealed class StandIn : IObservedSilo, IEnginePulse
{
    public SiloReadiness Readiness { get; set; } = new(SiloStatus.Active, 4, 2, 2, false);

    public bool HasFailed { get; set; }

    public bool HasTransactions => false;

    public EngineStatistics? Statistics { get; } = new() { Attempts = 3, Commits = 2 };

    /// <summary>What the engine's turn answers.</summary>
    public Task<TimeSpan> Answer { get; set; } = Task.FromResult(TimeSpan.FromMilliseconds(1));

    public Task<TimeSpan> PulseAsync() => Answer;

    public SiloAddress? OwnerOf(GrainId grain) => null;

    public void SwapPolicy(string nameOrPath) => throw new NotSupportedException();

    public void StartTrace(TraceRecorderOptions options, ITraceSink sink) => throw new NotSupportedException();

    public Task<TraceCounts> StopTraceAsync() => throw new NotSupportedException();
}
