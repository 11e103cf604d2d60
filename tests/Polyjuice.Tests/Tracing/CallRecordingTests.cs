using System.Buffers;
using System.ComponentModel.DataAnnotations;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Tests.Agents;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Tests.Tracing;

public sealed class CallRecordingTests
{
    private const byte VersionWithCalls = 2;
    private static readonly TracedMethod s_pay = new("Teller", "Bank.ITeller", "Pay(System.Int64)");

    private readonly EngineRig _rig = new();
    private readonly HeldSink _sink = new();

    [Fact]
    public void Calls_are_recorded_with_method_key_and_arguments_in_the_order_of_arrival()
    {
        Start();
        Call("a", [1, 2, 3]);
        Call("b", []);

        var trace = StopAndRead();

        Assert.Equal("test", trace.ArgumentEncoding);
        Assert.Equal([s_pay], trace.Methods);
        Assert.Equal(
            [(TracedCallState.Whole, "a", "010203"), (TracedCallState.Whole, "b", "")],
            trace.Calls.ToArray()
                .Select(call => (call.State, call.GrainKey, Convert.ToHexString(call.Arguments.Span))));
        Assert.All(trace.Calls.ToArray(), call => Assert.Equal(0, call.Method));
        Assert.Equal((2, 0, 3), (Counts.Calls, Counts.DroppedCalls, Counts.ArgumentBytes));
    }

    [Fact]
    public void A_transaction_of_several_attempts_has_one_call()
    {
        Start();
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var runs = 0;
        var retried = Begin(new CallBody("a", [1], async frame =>
        {
            await _rig.State(0).ReadAsync(frame, state => state.Balance);
            if (++runs == 1) await held.Task;
            await _rig.Add(frame, 0, -5, 1);
        }));
        _rig.Commit("Other", async frame => await _rig.Add(frame, 0, 1, 2));
        _rig.Node.Turn(held.SetResult);
        _rig.Until(() => retried.IsOver, "the transaction must end");

        var trace = StopAndRead();

        Assert.Equal(
            2, trace.Transactions.ToArray().Single(transaction => trace.Types[transaction.Type] == "Pay").Attempts);
        Assert.Equal(
            [TracedCallState.NoCall, TracedCallState.Whole],
            trace.Calls.ToArray().Select(call => call.State).Order().Reverse());
    }

    [Fact]
    public void Arguments_that_are_too_large_are_left_out_and_counted_and_nothing_else_is()
    {
        Start(new TraceRecorderOptions { RecordsCalls = true, ArgumentBytesMax = 10 });
        Call("small", new byte[10]);
        Call("large", new byte[11]);
        Call("huge", new byte[100_000]);
        Call("small again", new byte[9]);

        var trace = StopAndRead();

        Assert.Equal(
            [
                ("small", TracedCallState.Whole, 10), ("large", TracedCallState.TooLarge, 0),
                ("huge", TracedCallState.TooLarge, 0), ("small again", TracedCallState.Whole, 9)
            ],
            trace.Calls.ToArray().Select(call => (call.GrainKey, call.State, call.Arguments.Length)));
        Assert.Equal((2, 2, 19), (Counts.Calls, Counts.DroppedCalls, Counts.ArgumentBytes));
    }

    [Fact]
    public void Arguments_that_cannot_be_encoded_fail_no_transaction()
    {
        Start();
        var failing = Begin(new CallBody("a", null, frame => Task.CompletedTask));
        _rig.Until(() => failing.IsOver, "the transaction must end");
        Call("b", [7]);

        var trace = StopAndRead();

        Assert.Null(failing.Failure);
        Assert.Equal(
            [TracedCallState.NotEncodable, TracedCallState.Whole], trace.Calls.ToArray().Select(call => call.State));
        Assert.Equal("07", Convert.ToHexString(trace.Calls[1].Arguments.Span));
    }

    [Fact]
    public void What_a_client_runs_itself_is_no_call()
    {
        Start();
        _rig.Commit("Client", async frame => await _rig.State(0).ReadAsync(frame, state => state.Balance));

        var trace = StopAndRead();

        Assert.Equal(TracedCallState.NoCall, Assert.Single(trace.Calls.ToArray()).State);
        Assert.Empty(trace.Methods);
    }

    [Fact]
    public void A_chunk_full_of_arguments_is_handed_over_long_before_it_is_full_of_attempts()
    {
        // Two chunks, each full with 64 KiB and one call: more than that is dropped while nothing is written.
        Start(new TraceRecorderOptions { RecordsCalls = true, ChunksMax = 2, HandOverMicroseconds = 3_600_000_000 });
        var held = new TaskCompletionSource();
        _sink.Held = held.Task;
        for (var i = 0; i < 60; i++) Call("a", new byte[4_000]);
        _rig.Node.Turn(held.SetResult);

        var trace = StopAndRead();

        Assert.InRange(trace.Calls.Length, 30, 36);
        Assert.True(Counts.DroppedRecords > 0);
    }

    [Fact]
    public void Nothing_of_calls_is_recorded_unless_it_is_asked_for_and_files_are_of_the_version_before()
    {
        Start(new TraceRecorderOptions());
        Call("a", [1]);

        var trace = StopAndRead();

        Assert.True(trace.Calls.IsEmpty);
        Assert.Equal("", trace.ArgumentEncoding);
        Assert.Equal(VersionWithCalls - 1, _sink.Files[0].Content[7]);
    }

    [Fact]
    public void Files_with_calls_are_of_a_version_that_older_readers_refuse()
    {
        Start();
        Call("a", [1]);
        StopAndRead();

        Assert.Equal(VersionWithCalls, _sink.Files[0].Content[7]);
    }

    [Fact]
    public void Wherever_a_file_was_cut_every_transaction_that_is_left_has_its_call()
    {
        Start(new TraceRecorderOptions { RecordsCalls = true, HandOverMicroseconds = 1_000 });
        for (var i = 0; i < 60; i++) Call($"{i}", new byte[i]);
        var whole = StopAndRead().Calls.ToArray();
        var bytes = Assert.Single(_sink.Files).Content;

        var counts = new HashSet<int>();
        foreach (var cut in Enumerable.Range(0, 60).Select(i => bytes.Length * i / 60))
        {
            var part = TraceFile.Read([("cut", () => new MemoryStream(bytes[..cut]))]).Trace;
            Assert.Equal(part.Transactions.Length, part.Calls.Length);
            Assert.Equal(
                whole.Take(part.Calls.Length).Select(call => call.GrainKey),
                part.Calls.ToArray().Select(call => call.GrainKey));
            Assert.All(
                part.Calls.ToArray(),
                call => Assert.Equal(
                    int.Parse(call.GrainKey, System.Globalization.CultureInfo.InvariantCulture),
                    call.Arguments.Length));
            counts.Add(part.Calls.Length);
        }

        Assert.Equal(60, whole.Length);
        Assert.True(counts.Count > 5);
    }

    [Fact]
    public void Recordings_with_and_without_calls_go_together_and_those_of_two_encodings_do_not()
    {
        Start();
        Call("a", [1]);
        StopAndRead();
        Start(new TraceRecorderOptions());
        Call("b", [2]);

        Assert.Equal(
            [TracedCallState.Whole, TracedCallState.NotRecorded],
            StopAndRead().Calls.ToArray().Select(call => call.State));

        Start(encoding: "another");
        Call("c", [3]);
        var refusal = Assert.Throws<TraceFormatException>(StopAndRead);
        Assert.Contains(
            "encoded as another, and those in the others as test", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Calls_and_hashed_keys_exclude_each_other()
    {
        var refusal = Assert.Throws<ValidationException>(
            () => Start(new TraceRecorderOptions { RecordsCalls = true, KeySalt = "a secret" }));
        Assert.Contains(nameof(TraceRecorderOptions.KeySalt), refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_host_that_encodes_no_arguments_is_refused()
    {
        var refusal = Assert.Throws<NotSupportedException>(() => Start(encoding: ""));
        Assert.Contains(nameof(TraceRecorderOptions.RecordsCalls), refusal.Message, StringComparison.Ordinal);
    }

    private TraceCounts Counts { get; set; }

    private void Call(string key, byte[] arguments)
    {
        var body = Begin(new CallBody(key, arguments, async frame => await _rig.Add(frame, 1, 1, 3)));
        _rig.Until(() => body.IsOver, "the transaction must end");
        Assert.Null(body.Failure);
    }

    private CallBody Begin(CallBody body)
    {
        _rig.Node.Turn(
            () => _rig.Node.Engine.Run(
                new TransactionRequest { Type = "Pay" }, new GrainMethod("ITeller.Pay"), body, CancellationToken.None));
        return body;
    }

    private void Start(TraceRecorderOptions? options = null, string encoding = "test")
    {
        Exception? refusal = null;
        _rig.Node.Turn(
            () => refusal = Record.Exception(
                () => _rig.Node.Engine.StartTrace(
                    options ?? new TraceRecorderOptions { RecordsCalls = true }, _sink, "node", encoding)));
        if (refusal is not null) throw refusal;
    }

    private AccessTrace StopAndRead()
    {
        Counts = _rig.StopTrace();
        return _sink.Read();
    }

    /// <summary>A transaction of a call, whose arguments are bytes; without some, they can't be encoded.</summary>
    private sealed class CallBody(
        string key, byte[]? arguments, Func<CallFrame, Task> run) : ITransactionBody, ITracedCall
    {
        public bool IsOver { get; private set; }

        public Exception? Failure { get; private set; }

        public IRootCall? Call => this;

        public TracedMethod Method => s_pay;

        public string GrainKey => key;

        public Task RunAsync(CallFrame frame) => run(frame);

        public void RunEnded(CallFrame frame)
        {
        }

        public void Completed(Exception? failure) => (Failure, IsOver) = (failure, true);

        public void WriteArguments(IBufferWriter<byte> output)
        {
            // As serializers do: some of it, and then what is wrong.
            output.Write("begun"u8[..(arguments is null ? 5 : 0)]);
            output.Write(arguments ?? throw new NotSupportedException("No codec."));
        }
    }
}
