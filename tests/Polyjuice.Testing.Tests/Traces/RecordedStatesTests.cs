using Polyjuice.Policies;
using Polyjuice.Testing.Tests.Clusters;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;

namespace Polyjuice.Testing.Tests.Traces;

public sealed class RecordedStatesTests
{
    private const int Purses = 8;
    private const long Second = 1_000_000;

    [Fact]
    public async Task What_is_made_again_from_recorded_states_ends_as_the_recording_did()
    {
        var sink = new MemoryTraceSink();
        long[] begin, end;
        await using (var cluster = await PolyjuiceTestCluster.StartAsync())
        {
            await PayAsync(cluster, calls: 30, seed: 1);
            begin = await CountsAsync(cluster);
            cluster.StartTrace(Everything(window: 3_600 * Second), sink);
            await PayAsync(cluster, calls: 50, seed: 2);
            await cluster.StopTraceAsync();
            end = await CountsAsync(cluster);
        }

        var trace = Read(sink);
        var image = StateImage.Of(trace, trace.Windows[0].StartMicroseconds);
        Assert.Equal((Purses, 0), (image.Count, image.Missing));

        // Other silos, and other partitions.
        await using var again = await StartAsync(image, silos: 1, partitions: 3);
        Assert.Equal(begin, await CountsAsync(again));
        var result = await new CallReplay(trace, again.CallTarget, new CallReplayOptions { Clients = 1 }).RunAsync();

        Assert.Equal((50, 50), (result.Recorded, result.Committed));
        Assert.Equal(end, await CountsAsync(again));
    }

    [Fact]
    public async Task States_of_a_window_are_those_of_its_begin_whatever_is_under_way_then()
    {
        var sink = new MemoryTraceSink();
        await using (var cluster = await PolyjuiceTestCluster.StartAsync(
            options => options.PolicyCompiler = BuiltinPolicies.Get("ic3")))
        {
            await using (var traffic = new PurseTraffic(cluster, callers: 8, purses: Purses))
            {
                await traffic.WhenAcknowledged(200);
                cluster.StartTrace(Everything(window: Second / 5), sink);
                await traffic.WhenAcknowledged(6_000);
                await traffic.EndAsync();
            }

            await cluster.StopTraceAsync();
        }

        var trace = Read(sink);
        var sums = new List<long>();
        for (var at = StateImage.BeginAt(trace, 1); at is { } begin; at = StateImage.BeginAt(trace, begin + 1))
        {
            var image = StateImage.Of(trace, begin);

            // What is not accessed after a window's begin is in no image of it: at the end, when traffic ends.
            if (image.Known.Count(state => IsPurse(trace, state)) < Purses) break;
            await using var cluster = await StartAsync(image, silos: 1, partitions: 1);
            sums.Add((await CountsAsync(cluster)).Sum());
            if (sums.Count == 3) break;
        }

        // Payments take from one purse what they put into another.
        Assert.True(
            sums.Count >= 2,
            $"{sums.Count} whole images, of {trace.Transactions.Length} transactions in {trace.RecordedMicroseconds} "
            + $"µs; {trace.Losses}");
        Assert.All(sums, sum => Assert.Equal(0, sum));
    }

    [Fact]
    public async Task States_that_are_too_large_are_counted_and_left_out()
    {
        var sink = new MemoryTraceSink();
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Silos = 1);
        await PayAsync(cluster, calls: 30, seed: 1);
        cluster.StartTrace(
            new TraceRecorderOptions { RecordsCalls = true, RecordsStates = true, StateBytesMax = 1 }, sink);
        await PayAsync(cluster, calls: 30, seed: 1);
        var counts = await cluster.StopTraceAsync();

        var trace = Read(sink);
        var image = StateImage.Of(trace, trace.Windows[0].StartMicroseconds);

        Assert.Equal((0, Purses), (image.Count, image.Missing));
        Assert.True(counts.DroppedStates >= Purses);
        Assert.Equal((0, 0), (counts.States, counts.StateBytes));
        Assert.Equal(30, trace.Calls.Length);
    }

    private static bool IsPurse(AccessTrace trace, TraceState state) =>
        trace.Grains[trace.Participants[state.Participant].Grain].Key.Length == "purse/0".Length;

    private static TraceRecorderOptions Everything(long window) => new()
    {
        RecordsCalls = true, RecordsStates = true, WindowPeriodMicroseconds = window, WindowLengthMicroseconds = window,
    };

    private static AccessTrace Read(MemoryTraceSink sink) =>
        TraceFile.Read(sink).Trace;

    private static async Task<PolyjuiceTestCluster> StartAsync(StateImage image, int silos, int partitions)
    {
        var logs = await image.ToLogsAsync(partitions);
        return await PolyjuiceTestCluster.StartAsync(options => (options.Silos, options.Logs) = (silos, logs));
    }

    private static async Task PayAsync(PolyjuiceTestCluster cluster, int calls, int seed)
    {
        var random = new Random(seed);
        for (var i = 0; i < calls; i++)
        {
            var from = i % Purses;
            await cluster.Grains.GetGrain<IPurse>(from)
                .Give((from + 1 + random.Next(Purses - 1)) % Purses, random.Next(1, 100));
        }
    }

    private static async Task<long[]> CountsAsync(PolyjuiceTestCluster cluster)
    {
        var counts = new long[Purses];
        for (var purse = 0; purse < Purses; purse++)
            counts[purse] = await cluster.Grains.GetGrain<IPurse>(purse).Count();
        return counts;
    }
}
