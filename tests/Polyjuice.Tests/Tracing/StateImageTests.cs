using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Tests.Tracing;

/// <summary>
/// The states that silos record at a window's begin are those that some transactions have left, and no others:
/// transfers move money, so that all accounts of an image together have what they had at the start.
/// </summary>
public sealed class StateImageTests
{
    private const ulong Seeds = 4;
    private const int Accounts = 24;
    private const int Opening = 100;
    private const int Transfers = 1_000;
    private const long Load = 200_000;
    private const long Window = 5_000;

    public static TheoryData<string> Policies => [.. BuiltinPolicies.Names, "random"];

    [Theory]
    [MemberData(nameof(Policies))]
    public void Images_hold_what_transactions_have_left_under_any_table_and_with_aborts(string policy)
    {
        var (images, known) = (0, 0);
        for (var seed = 1UL; seed <= Seeds; seed++)
        {
            var trace = Record(policy == "random" ? new RandomPolicy(seed) : BuiltinPolicies.Get(policy), seed);
            for (var at = StateImage.BeginAt(trace, 1); at is { } begin; at = StateImage.BeginAt(trace, begin + 1))
            {
                var image = StateImage.Of(trace, begin);
                var balances = image.Known.ToDictionary(state => state.Participant, state => BalanceOf(state));
                images++;
                if (balances.Count < Accounts) continue;
                known++;
                Assert.True(
                    balances.Values.Sum() == Accounts * Opening,
                    $"seed {seed}, {begin} µs: {string.Join(", ", balances.Values)} are {balances.Values.Sum()}");
            }
        }

        Assert.True(known >= 50, $"{known} of {images} images are whole.");
    }

    private static AccessTrace Record(IPolicyCompiler policy, ulong seed)
    {
        var options = new TraceRecorderOptions
        {
            RecordsCalls = true, RecordsStates = true,
            WindowPeriodMicroseconds = Window, WindowLengthMicroseconds = Window,
        };
        var shape = new ClusterShape
        {
            Nodes = 3, Partitions = 3, Accounts = Accounts, OpeningBalance = Opening, SkewMax = 3_000,
            Policy = _ => policy,
            Storage = new StorageProfile { DelayMin = 200, DelayMax = 8_000 },
        };
        var sink = new MemoryTraceSink();
        using var cluster = SimulatedCluster.Start(shape, seed);
        foreach (var node in cluster.Alive)
            node.Turn(() => node.Engine.StartTrace(options, sink, $"silo {node.Id.Value}", "test"));
        var random = new SimulationRandom(seed);
        for (var i = 0; i < Transfers; i++)
        {
            var from = random.Next(Accounts);
            var to = (from + 1 + random.Next(Accounts - 1)) % Accounts;
            var amount = random.Between(1, 20);

            var throws = i % 5 == 0;

            // Who throws takes along whoever has read what it had exposed.
            var body = Step.Sequence(
                Step.Update(from, -amount), Step.Update(to, amount), Step.ThrowIf(_ => throws, "changed my mind"));
            var spec = new TransactionSpec("Transfer", body);
            cluster.Submit(cluster.Node(random.Next(3)), spec, random.Between(0, Load));
        }

        cluster.Require(() => cluster.Running == 0, 60_000_000, "progress", "all transfers must end");
        foreach (var node in cluster.Alive)
        {
            Task? stopped = null;
            node.Turn(() => stopped = node.Engine.StopTraceAsync());
            cluster.Require(() => stopped!.IsCompleted, 10_000_000, "progress", "the recording must end");
        }

        return TraceFile.Read(sink).Trace;
    }

    private static long BalanceOf(TraceState state) =>
        state.Kind == TracedStateKind.Initial ? Opening : new AccountCodec(Opening).Decode(state.Bytes.Span).Balance;
}
