using Polyjuice.Tracing;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;

namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class CallTraceTests
{
    private static readonly CallReplayOptions s_serial = new() { Clients = 1 };

    [Fact]
    public async Task Calls_are_made_again_with_the_arguments_that_came_whatever_the_body_has_done_to_its_own()
    {
        string[] seen = [];
        var trace = await RecordAsync(async cluster =>
        {
            var (grain, other) = (cluster.Client.GetGrain<ITraced>("a"), cluster.Client.GetGrain<ITraced>("b"));
            await grain.See(long.MinValue, "text", new Basket { Items = ["x", "y"] }, [1, -2, int.MaxValue], [1.5m, -0.25m], (7, "seven"), new DateTime(2026, 2, 3, 4, 5, 6, DateTimeKind.Utc), other, CancellationToken.None);
            await grain.See(0, null, new Basket(), null, [], default, default, null, CancellationToken.None);
            await grain.See(42);
            await grain.See("é\n\"");
            await grain.TakeAll(new Basket { Items = ["all", "of", "it"] });
            seen = await grain.Seen();
        });

        await using var cluster = await TestCluster.StartAsync();
        var result = await new CallReplay(trace, cluster.CallTarget, s_serial).RunAsync();

        Assert.Equal(5, seen.Length);
        Assert.Contains("all,of,it", seen);
        Assert.Equal(seen, await cluster.Client.GetGrain<ITraced>("a").Seen());
        Assert.Equal((6, 6), (result.Recorded, result.Committed));
        Assert.Equal(5, result.Methods.Count);
    }

    [Fact]
    public async Task It_runs_as_well_on_the_clients_own_thread()
    {
        var trace = await RecordAsync(async cluster =>
        {
            foreach (var key in (string[])["a", "b", "c"]) await cluster.Client.GetGrain<ITraced>(key).See(1);
        }, silos: 2);

        await using var cluster = await TestCluster.StartAsync(silos: 2);
        var result = await cluster.Client.RunAsync(() => new CallReplay(trace, cluster.CallTarget).RunAsync());

        Assert.Equal((3, 3), (result.Recorded, result.Committed));
        foreach (var key in (string[])["a", "b", "c"]) Assert.Equal(["1"], await cluster.Client.GetGrain<ITraced>(key).Seen());
    }

    [Fact]
    public async Task What_the_application_refuses_is_refused_again_and_what_a_client_has_run_itself_is_no_call()
    {
        var trace = await RecordAsync(async cluster =>
        {
            var grain = cluster.Client.GetGrain<ITraced>("a");
            await Assert.ThrowsAnyAsync<Exception>(grain.Refuse);
            await cluster.Client.RunTransaction("Twice", TransactionOption.Create, async () =>
            {
                await grain.See(1);
                await grain.See(2);
            });
        });

        await using var cluster = await TestCluster.StartAsync();
        var result = await new CallReplay(trace, cluster.CallTarget, s_serial).RunAsync();

        Assert.Equal((1, 0), (result.Count(CallOutcome.Refused), result.Committed));
        Assert.Equal(nameof(CustomException), Assert.Single(result.Reasons).Key);
        Assert.StartsWith("Twice: ", Assert.Single(result.NotMade).Key, StringComparison.Ordinal);
        Assert.Empty(await cluster.Client.GetGrain<ITraced>("a").Seen());
    }

    [Fact]
    public async Task What_the_target_does_not_know_is_said()
    {
        await using var cluster = await TestCluster.StartAsync();
        var known = TracedMethod.Of(nameof(TracedGrain), typeof(ITraced), nameof(ITraced.See), [typeof(long)]);

        string ProblemOf(TracedMethod method) => Assert.Throws<CallUnknownException>(() => cluster.CallTarget.Find(method)).Message;

        Assert.NotNull(cluster.CallTarget.Find(known));
        Assert.Contains("grain class GoneGrain", ProblemOf(known with { GrainType = "GoneGrain" }), StringComparison.Ordinal);
        Assert.Contains("grain interface Bank.IGone", ProblemOf(known with { Interface = "Bank.IGone" }), StringComparison.Ordinal);
        Assert.Contains("does not implement", ProblemOf(known with { GrainType = nameof(CallerGrain) }), StringComparison.Ordinal);
        Assert.Contains("no such transactional method", ProblemOf(known with { Signature = "See(System.Int32)" }), StringComparison.Ordinal);

        // Relay is no transactional method.
        Assert.Contains("no such transactional method", ProblemOf(TracedMethod.Of(nameof(CallerGrain), typeof(ICaller), nameof(ICaller.Relay), [typeof(string), typeof(string)])), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("0101")]
    [InlineData("FFFFFFFFFFFFFFFFFFFFFFFF")]
    public async Task Arguments_that_cannot_be_read_are_refused_before_anything_is_called(string arguments)
    {
        await using var cluster = await TestCluster.StartAsync();
        var method = cluster.CallTarget.Find(TracedMethod.Of(nameof(TracedGrain), typeof(ITraced), nameof(ITraced.See), [typeof(long)]));

        Assert.Contains("can't be read", Assert.Throws<CallUnknownException>(() => method.Prepare("a", Convert.FromHexString(arguments))).Message, StringComparison.Ordinal);
        Assert.Contains("can't be read", Assert.Throws<CallUnknownException>(() => method.Prepare(" ", new byte[1])).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Arguments_that_are_too_large_are_counted_and_the_call_is_named_when_it_is_not_made()
    {
        var trace = await RecordAsync(cluster => cluster.Client.GetGrain<ITraced>("a").See(new string('x', 200)), options: new TraceRecorderOptions { RecordsCalls = true, ArgumentBytesMax = 100 });

        await using var cluster = await TestCluster.StartAsync();
        var result = await new CallReplay(trace, cluster.CallTarget).RunAsync();

        Assert.Equal(0, result.Made);
        Assert.Contains("See(System.String)", Assert.Single(result.NotMade).Key, StringComparison.Ordinal);
    }

    [Fact]
    public void Signatures_tell_generic_types_and_arrays_apart_and_leave_tokens_out()
    {
        Assert.Equal("F()", TracedMethod.SignatureOf("F", []));
        Assert.Equal(
            "F(System.Int32[], System.Collections.Generic.List`1<System.String>, System.Nullable`1<System.Int64>, System.Int32[,])",
            TracedMethod.SignatureOf("F", [typeof(int[]), typeof(List<string>), typeof(CancellationToken), typeof(long?), typeof(int[,])]));
    }

    private static async Task<AccessTrace> RecordAsync(Func<EmbeddedCluster, Task> load, int silos = 1, TraceRecorderOptions? options = null)
    {
        var sink = new MemoryTraceSink();
        await using var cluster = await TestCluster.StartAsync(silos);
        await cluster.StartTraceAsync(options ?? new TraceRecorderOptions { RecordsCalls = true }, sink);
        await load(cluster);
        await cluster.StopTraceAsync();
        return TraceFile.Read([.. sink.Files.Select(file => (file.Name, (Func<Stream>)(() => new MemoryStream(file.Content))))]).Trace;
    }
}
