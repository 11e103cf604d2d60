using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Policies;
using TransactionRequest = Polyjuice.Agents.TransactionRequest;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// A tick of the engine's housekeeping, of which there are two hundred a second, by how many transactions are open:
/// each has read one state, and its body waits for something.
/// </summary>
[InvocationCount(4_000)]
public class Housekeeping
{
    private static readonly NodeId _node = new(1);
    private readonly TaskCompletionSource _never = new();
    private readonly EngineOptions _options = new() { TransactionTimeoutMicroseconds = 3_600_000_000 };
    private TickHost _host = null!;

    [Params(10, 100, 1_000, 10_000)]
    public int Open { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _host = new TickHost(_node);
        var policies = new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"));
        var engine = new TransactionEngine(
            _node, _options, _host, new DiscardingLogStore(1), policies, new EngineExceptionFactory(),
            NullLogger.Instance);
        _host.Engine = engine;
        Task serving = Task.CompletedTask;
        _host.Run(() => serving = engine.AcquirePartitionAsync(0, CancellationToken.None));
        serving.GetAwaiter().GetResult();
        TransactionalStateCore<Counter>[] counters = [];
        _host.Run(
            () => counters =
            [
                .. Enumerable.Range(0, 64).Select(i => engine.CreateState(KeyOf(i), new CounterCodec()))
            ]);
        for (var i = 0; i < Open; i++)
        {
            var counter = counters[i % counters.Length];
            var request = new TransactionRequest { Type = "ICounterGrain.Hold" };
            _host.Run(() => _ = engine.RunAsync(
                request, new GrainMethod(request.Type), frame => HoldAsync(counter, frame), CancellationToken.None));
        }

        // All are older than what is repeated.
        for (var i = 0; i < 1_000; i++) Tick();
    }

    [Benchmark]
    public void Tick() => _host.Tick(_options.TickMicroseconds);

    private static ParticipantKey KeyOf(int i) =>
        new(FormattableString.Invariant($"CounterGrain/{i}"), "counter", "CounterGrain");

    private async Task HoldAsync(TransactionalStateCore<Counter> counter, CallFrame frame)
    {
        await counter.ReadAsync(frame, static state => state.Value);
        await _never.Task;
    }
}
