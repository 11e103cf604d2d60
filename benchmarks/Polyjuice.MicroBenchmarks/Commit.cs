using BenchmarkDotNet.Attributes;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// One transaction that updates one, two or five states in as many partitions, from its start until it is durable: one
/// log record for one participant, prepares and a commit record for more. Under <c>2pl-star</c> each access is
/// validated early, under <c>occ</c> all together at the end.
/// </summary>
public class Commit
{
    private const int Partitions = 16;
    private OneNodeEngine _engine = null!;
    private AccessBody _body = null!;

    /// <summary>How many states.</summary>
    [Params(1, 2, 5)]
    public int Participants { get; set; }

    /// <summary>The table in force.</summary>
    [Params("occ", "2pl-star")]
    public string Policy { get; set; } = "";

    /// <summary>Starts the engine.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _engine = new OneNodeEngine(Policy, Participants, Partitions);
        _body = new AccessBody(async frame =>
        {
            var sum = 0L;
            foreach (var counter in _engine.Counters)
                sum = await counter.UpdateAsync(frame, static state => ++state.Value);
            return sum;
        });
    }

    /// <summary>Runs it.</summary>
    [Benchmark]
    public void Update() => _engine.Host.Run(_body);
}
