using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Policies;

namespace Polyjuice.Benchmarks;

/// <summary>
/// One transaction on one engine, with nobody in its way, from its start until it is durable. An access must stay below one kilobyte
/// of allocation, its share of the commit included.
/// </summary>
public class UncontendedTransaction
{
    private static readonly NodeId _node = new(1);
    private OneThreadHost _host = null!;
    private TransactionEngine _engine = null!;
    private AccessBody _readModifyWrite = null!;
    private AccessBody _read = null!;
    private AccessBody _transfer = null!;

    [Params("occ", "ic3")]
    public string Policy { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        _host = new OneThreadHost(_node);
        var policies = new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get(Policy));
        _engine = new TransactionEngine(_node, new EngineOptions(), _host, new DiscardingLogStore(), policies, new EngineExceptionFactory(), NullLogger.Instance);
        _host.Engine = _engine;
        _host.Run(() => _engine.AcquirePartitionAsync(0, CancellationToken.None));
        TransactionalStateCore<Counter> state = null!;
        TransactionalStateCore<Counter> other = null!;
        _host.Run(() =>
        {
            state = _engine.CreateState(new ParticipantKey("CounterGrain/1", "counter", "CounterGrain"), new CounterCodec());
            other = _engine.CreateState(new ParticipantKey("CounterGrain/2", "counter", "CounterGrain"), new CounterCodec());
            return Task.CompletedTask;
        });
        _readModifyWrite = new AccessBody(frame => state.UpdateAsync(frame, static counter => ++counter.Value));
        _read = new AccessBody(frame => state.ReadAsync(frame, static counter => counter.Value));
        _transfer = new AccessBody(frame =>
        {
            var taken = state.UpdateAsync(frame, static counter => --counter.Value);
            return taken.IsCompletedSuccessfully ? other.UpdateAsync(frame, static counter => ++counter.Value) : taken;
        });
    }

    [Benchmark]
    public void ReadModifyWrite() => _host.Run(_readModifyWrite);

    [Benchmark]
    public void Read() => _host.Run(_read);

    /// <summary>Two read-modify-writes in one transaction; the figures are for each of the two, with its half of the commit.</summary>
    [Benchmark(OperationsPerInvoke = 2)]
    public void Transfer() => _host.Run(_transfer);
}
