using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Policies;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// One engine that owns all partitions, with counters that live in different ones if there are several.
/// </summary>
internal sealed class OneNodeEngine
{
    private const string GrainClass = "CounterGrain";
    private static readonly NodeId _node = new(1);

    /// <summary>Starts it.</summary>
    /// <param name="policy">The built-in table in force.</param>
    /// <param name="counters">How many counters, each in a partition of its own unless there is only one.</param>
    /// <param name="partitions">How many partitions; 1, or more than counters.</param>
    public OneNodeEngine(string policy, int counters, int partitions)
    {
        Host = new OneThreadHost(_node);
        var engine = new TransactionEngine(
            _node, new EngineOptions(), Host, new DiscardingLogStore(partitions),
            new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get(policy)), new EngineExceptionFactory(),
            NullLogger.Instance);
        Host.Engine = engine;
        for (var partition = 0; partition < partitions; partition++)
        {
            var mine = partition;
            Host.Run(() => engine.AcquirePartitionAsync(mine, CancellationToken.None));
        }

        var taken = new HashSet<int>();
        Counters = new TransactionalStateCore<Counter>[counters];
        Host.Run(() =>
        {
            for (var (key, made) = (0, 0); made < counters; key++)
            {
                var grain = FormattableString.Invariant($"{GrainClass}/{key}");
                if (partitions == 1 || taken.Add(Contracts.StableHash.Partition(grain, partitions)))
                    Counters[made++] = engine.CreateState(
                        new ParticipantKey(grain, "counter", GrainClass), new CounterCodec());
            }

            return Task.CompletedTask;
        });
    }

    public OneThreadHost Host { get; }

    public TransactionalStateCore<Counter>[] Counters { get; }
}
