using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Tests.Shared;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;
using static Polyjuice.Training.Tests.Traces.TraceBytes;

namespace Polyjuice.Training.Tests.Traces;

public sealed class TraceCallsTests
{
    private const int VersionByte = 7;

    private static readonly Arbitrary<int> s_seeds = Gen.Choose(0, int.MaxValue - 1).ToArbitrary();

    [Fact]
    public void Calls_that_are_written_are_read_as_they_were() => Prop.ForAll(s_seeds, seed =>
    {
        var trace = CallTraces.Random(seed);
        var read = Read(Write(trace)).Trace;
        return read.ArgumentEncoding == trace.ArgumentEncoding && read.Methods.SequenceEqual(trace.Methods)
            && Same(read.Calls, trace.Calls)
                && read.Transactions.ToArray().SequenceEqual(trace.Transactions.ToArray());
    }).Holds();

    [Fact]
    public void Wherever_a_file_was_cut_what_is_left_has_a_call_for_each_transaction() => Prop.ForAll(s_seeds, seed =>
    {
        var trace = CallTraces.Random(seed);
        var bytes = Write(trace);
        var reading = Read(bytes[..new System.Random(seed).Next(bytes.Length)]);
        var read = reading.Trace;

        // Cut within the names, there is nothing; behind them, whole blocks.
        return !reading.Files[0].IsComplete
            && (read.Transactions.IsEmpty || Same(read.Calls, trace.Calls[..read.Transactions.Length]));
    }).Holds();

    [Fact]
    public void Whatever_is_damaged_is_cut_or_refused_by_name() => Prop.ForAll(s_seeds, seed =>
    {
        var random = new System.Random(seed);
        var bytes = Write(CallTraces.Random(seed));
        bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
        return IsReadOrRefused(bytes);
    }).Holds();

    [Fact]
    public void Blocks_of_foreign_bytes_with_right_checksums_are_refused_by_name() => Prop.ForAll(s_seeds, seed =>
    {
        var random = new System.Random(seed);
        var content = new byte[random.Next(200)];
        random.NextBytes(content);
        var blocks = new TraceBlockWriter();
        byte[] file =
        [
            .. TraceBlockWriter.FileHeader(hasCalls: true),
            .. blocks.Block((TraceBlockKind)random.Next(7), content).Span,
            .. blocks.Block((TraceBlockKind)random.Next(7), content).Span
        ];
        return IsReadOrRefused(file);
    }).Holds();

    [Fact]
    public void Many_large_arguments_are_written_in_blocks_that_readers_take()
    {
        var builder = CallTraces.Builder();
        for (var i = 0; i < 80; i++)
            CallTraces.Add(builder, i, new TraceCall(TracedCallState.Whole, 0, $"{i}", new byte[1 << 20]));
        var trace = builder.Build();

        Assert.True(Same(trace.Calls, Read(Write(trace)).Trace.Calls));
    }

    [Fact]
    public void A_trace_without_calls_is_of_the_version_before_and_one_of_a_newer_version_is_refused()
    {
        var without = Write(CallTraces.Random(1).WithoutCalls());
        var with = Write(CallTraces.Random(1));

        Assert.Equal(
            (TraceFormat.VersionWithoutCalls, TraceFormat.VersionWithCalls), (without[VersionByte], with[VersionByte]));
        with[VersionByte] = TraceFormat.Version + 1;
        Assert.Contains(
            "format 4", Assert.Throws<TraceFormatException>(() => Read(with)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_version_before_has_written_is_still_read()
    {
        var root = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(root, "Polyjuice.sln")))
            root = Path.GetDirectoryName(root)
                ?? throw new InvalidOperationException("These tests run inside of the repository.");
        var folder = Path.Combine(root, "tests/Polyjuice.Training.Tests/Traces/Files/tpcc-version-1");

        var trace = TraceFile.Read([folder]).Trace;

        Assert.All(Directory.GetFiles(folder), file => Assert.Equal(1, File.ReadAllBytes(file)[VersionByte]));
        Assert.True(trace.Transactions.Length > 2_000);
        Assert.True(trace.Calls.IsEmpty);
    }

    [Fact]
    public void A_slice_has_the_calls_of_its_transactions()
    {
        var trace = CallTraces.Random(5, transactions: 40);

        var slice = trace.Slice(100, 200);

        Assert.Equal(10, slice.Transactions.Length);
        Assert.True(Same(trace.Calls.Slice(10, 10), slice.Calls));
    }

    [Fact]
    public void What_is_anonymised_has_no_calls()
    {
        foreach (var salt in (string?[])["a secret", null])
        {
            var anonymous = CallTraces.Random(5).Anonymise(salt);
            Assert.True(anonymous.Calls.IsEmpty);
            Assert.Empty(anonymous.Methods);
            Assert.Equal("", anonymous.ArgumentEncoding);
        }
    }

    [Fact]
    public void A_trace_without_calls_has_all_the_rest()
    {
        var trace = CallTraces.Random(5);

        var without = trace.WithoutCalls();

        Assert.True(without.Calls.IsEmpty);
        Assert.Equal(trace.Transactions.ToArray(), without.Transactions.ToArray());
        Assert.Equal(trace.Accesses.ToArray(), without.Accesses.ToArray());
        Assert.Equal(trace.Grains, without.Grains);
        Assert.Equal(trace.Silos, without.Silos);
    }

    [Fact]
    public void Calls_follow_their_transactions_when_those_are_put_in_order()
    {
        var builder = CallTraces.Builder();
        foreach (var arrival in (long[])[30, 10, 20])
            CallTraces.Add(
                builder, arrival, new TraceCall(TracedCallState.Whole, 0, $"{arrival}", new byte[] { (byte)arrival }));

        var trace = builder.Build();

        Assert.Equal(["10", "20", "30"], trace.Calls.ToArray().Select(call => call.GrainKey));
    }

    [Fact]
    public void A_call_without_an_encoding_or_of_an_unknown_method_is_refused_and_changes_nothing()
    {
        var builder = new AccessTraceBuilder(0);
        builder.AddSilo(1);
        builder.AddType("T");
        builder.AddMethod(CallTraces.Methods[0]);

        Assert.Throws<ArgumentException>(
            () => CallTraces.Add(builder, 1, new TraceCall(TracedCallState.Whole, 0, "a", default)));
        builder.ArgumentEncoding = "test";
        Assert.Throws<ArgumentOutOfRangeException>(
            () => CallTraces.Add(builder, 1, new TraceCall(TracedCallState.Whole, 1, "a", default)));
        Assert.True(builder.Build().Transactions.IsEmpty);
    }

    private static bool Same(ReadOnlySpan<TraceCall> left, ReadOnlySpan<TraceCall> right)
    {
        if (left.Length != right.Length) return false;
        for (var i = 0; i < left.Length; i++)
        {
            if (left[i] with { Arguments = default } != right[i] with { Arguments = default }
                || !left[i].Arguments.Span.SequenceEqual(right[i].Arguments.Span))
                return false;
        }

        return true;
    }
}
