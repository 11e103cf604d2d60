using BenchmarkDotNet.Attributes;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// One transaction on one engine, with nobody in its way, from its start until it is durable. An access must stay below
/// one kilobyte of allocation, its share of the commit included.
/// </summary>
public class UncontendedTransaction
{
    private OneThreadHost _host = null!;
    private AccessBody _readModifyWrite = null!;
    private AccessBody _read = null!;
    private AccessBody _transfer = null!;

    [Params("occ", "ic3")]
    public string Policy { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        var engine = new OneNodeEngine(Policy, counters: 2, partitions: 1);
        _host = engine.Host;
        var (state, other) = (engine.Counters[0], engine.Counters[1]);
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

    /// <summary>
    /// Two read-modify-writes in one transaction; the figures are for each of the two, with its half of the commit.
    /// </summary>
    [Benchmark(OperationsPerInvoke = 2)]
    public void Transfer() => _host.Run(_transfer);
}
