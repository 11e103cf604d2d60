using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Tests.Shared;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;
using static Polyjuice.Training.Tests.Traces.TraceBytes;

namespace Polyjuice.Training.Tests.Traces;

public sealed class TraceStatesTests
{
    private const int VersionByte = 7;
    private const long Period = 100;

    private static readonly Arbitrary<int> s_seeds = Gen.Choose(0, int.MaxValue - 1).ToArbitrary();

    [Fact]
    public void States_that_are_written_are_read_as_they_were() => Prop.ForAll(s_seeds, seed =>
    {
        var trace = Random(seed);
        var read = Read(Write(trace)).Trace;
        return read.StatePeriodMicroseconds == (trace.States.IsEmpty ? 0 : Period) && Same(read.States, trace.States)
            && read.Calls.Length == trace.Calls.Length;
    }).Holds();

    [Fact]
    public void Whatever_is_damaged_is_cut_or_refused_by_name() => Prop.ForAll(s_seeds, seed =>
    {
        var random = new System.Random(seed);
        var bytes = Write(Random(seed));
        bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
        return IsReadOrRefused(bytes);
    }).Holds();

    [Fact]
    public void Blocks_of_foreign_bytes_with_right_checksums_are_refused_by_name() => Prop.ForAll(s_seeds, seed =>
    {
        var random = new System.Random(seed);
        var content = new byte[random.Next(200)];
        random.NextBytes(content);
        var whole = Write(Random(seed));
        byte[] file = [.. whole, .. new TraceBlockWriter().Block((TraceBlockKind)random.Next(8), content).Span];
        return IsReadOrRefused(file)
            && IsReadOrRefused([.. TraceBlockWriter.FileHeader(hasCalls: true, hasStates: true), .. file[8..]]);
    }).Holds();

    [Fact]
    public void Only_a_trace_with_states_is_of_their_version()
    {
        Assert.Equal(TraceFormat.Version, Write(WithStates((0, 5)))[VersionByte]);
        Assert.Equal(TraceFormat.VersionWithCalls, Write(WithStates())[VersionByte]);
    }

    [Fact]
    public void Many_large_states_are_written_in_blocks_that_readers_take()
    {
        var builder = Builder(participants: 80);
        for (var i = 0; i < 80; i++)
            builder.AddState(new TraceState(i, i, TracedStateKind.Whole, "c", new byte[1 << 20]));
        var trace = builder.Build();

        Assert.True(Same(trace.States, Read(Write(trace)).Trace.States));
    }

    [Fact]
    public void An_image_has_the_first_state_since_its_moment_of_each_participant()
    {
        // Windows of 100 µs from -50 on: the trace starts at 1,050.
        var trace = WithStates((0, 10), (1, 20), (0, 60), (2, 170));

        Assert.Equal([(0, 10), (1, 20), (2, 170)], TimesOf(trace, at: 0));
        Assert.Equal([(0, 60), (2, 170)], TimesOf(trace, at: 50));
        Assert.Equal([(2, 170)], TimesOf(trace, at: 150));
    }

    [Fact]
    public void What_a_silo_has_recorded_just_before_all_did_is_of_the_first_window_too()
    {
        var trace = WithStates((0, -5), (1, 20), (1, 60), (0, 60));

        Assert.Equal([(0, -5), (1, 20)], TimesOf(trace, at: 0));
    }

    [Theory]
    [InlineData(0L, 0L)]
    [InlineData(1L, 50L)]
    [InlineData(50L, 50L)]
    [InlineData(51L, 150L)]
    [InlineData(180L, 220L)]
    [InlineData(221L, 250L)]
    [InlineData(251L, null)]
    public void A_replay_begins_where_a_window_does(long from, long? begin)
    {
        var builder = Builder(participants: 1);
        builder.AddWindow(new TraceWindow(0, 180));
        builder.AddWindow(new TraceWindow(220, 300));
        builder.AddState(new TraceState(0, 10, TracedStateKind.Whole, "c", default));

        Assert.Equal(begin, StateImage.BeginAt(builder.Build(), from));
    }

    [Fact]
    public void Without_states_there_is_no_moment_to_begin_at() => Assert.Null(StateImage.BeginAt(WithStates(), 0));

    [Fact]
    public void A_slice_has_the_states_since_its_window_began_and_anonymous_traces_have_none()
    {
        var trace = WithStates((0, 10), (1, 20), (0, 60), (2, 170));

        Assert.Equal([60, 170], trace.Slice(80, 200).States.ToArray().Select(state => state.AtMicroseconds));
        Assert.True(trace.WithoutCalls().States.IsEmpty);
        Assert.True(trace.Anonymise("a secret").States.IsEmpty);
    }

    [Fact]
    public void What_an_image_has_lost_is_counted()
    {
        var builder = Builder(participants: 4);
        builder.AddState(new TraceState(0, 1, TracedStateKind.Whole, "c", new byte[1]));
        builder.AddState(new TraceState(1, 2, TracedStateKind.TooLarge, "", default));
        builder.AddState(new TraceState(2, 3, TracedStateKind.NotEncodable, "", default));
        builder.AddState(new TraceState(3, 4, TracedStateKind.Initial, "", default));
        builder.AddState(new TraceState(3, 104, TracedStateKind.Whole, "c", new byte[1]));

        var image = StateImage.Of(builder.Build(), 0);

        Assert.Equal((1, 2), (image.Count, image.Missing));
    }

    private static IEnumerable<(int Participant, long At)> TimesOf(AccessTrace trace, long at) =>
        StateImage.Of(trace, at).Known.Select(state => (state.Participant, state.AtMicroseconds)).Order();

    private static AccessTrace WithStates(params (int Participant, long At)[] states)
    {
        var builder = Builder(participants: 3);
        builder.AddWindow(new TraceWindow(0, 300));
        foreach (var (participant, at) in states) builder.AddState(
            new TraceState(participant, at, TracedStateKind.Whole, "c", new byte[] { 1 }));
        return builder.Build();
    }

    private static AccessTrace Random(int seed)
    {
        var random = new Random(seed);
        var builder = Builder(participants: 5);
        for (var i = 0; i < random.Next(40); i++)
        {
            var kind = (TracedStateKind)random.Next(1, 6);
            var bytes = new byte[kind == TracedStateKind.Whole ? random.Next(300) : 0];
            random.NextBytes(bytes);
            var codec = kind == TracedStateKind.Whole ? $"codec{random.Next(3)}" : "";
            builder.AddState(new TraceState(random.Next(5), random.Next(-10, 1_000), kind, codec, bytes));
        }

        return builder.Build();
    }

    private static AccessTraceBuilder Builder(int participants)
    {
        var builder = new AccessTraceBuilder(1_050) { ArgumentEncoding = "test", StatePeriodMicroseconds = Period };
        builder.AddSilo(1);
        builder.AddType("T");
        builder.AddMethod(CallTraces.Methods[0]);
        for (var i = 0; i < participants; i++)
            builder.AddParticipant(builder.AddGrain("Account", $"account/{i}"), "Account.balance", 0);
        CallTraces.Add(builder, 5, new TraceCall(TracedCallState.Whole, 0, "1", new byte[] { 1 }));
        return builder;
    }

    private static bool Same(ReadOnlySpan<TraceState> left, ReadOnlySpan<TraceState> right)
    {
        if (left.Length != right.Length) return false;
        for (var i = 0; i < left.Length; i++)
        {
            if (left[i] with { Bytes = default } != right[i] with { Bytes = default }
                || !left[i].Bytes.Span.SequenceEqual(right[i].Bytes.Span))
                return false;
        }

        return true;
    }
}
