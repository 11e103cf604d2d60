using System.ComponentModel.DataAnnotations;
using Polyjuice.Tests.Agents;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Tests.Tracing;

public sealed class StateRecordingTests
{
    private const long Hour = 3_600_000_000;

    private readonly EngineRig _rig = new();
    private readonly HeldSink _sink = new();
    private long _token;

    [Fact]
    public void A_state_is_recorded_once_in_a_window_as_it_was_before()
    {
        Add(0, 10);
        Start(Window(Hour));
        Add(0, 5);
        Add(0, 7);

        var trace = StopAndRead();

        var state = Assert.Single(trace.States.ToArray());
        Assert.Equal((TracedStateKind.Whole, "0"), (state.Kind, NumberOf(trace, state)));
        Assert.Equal(Opening + 10, Balance(state));
        Assert.Equal((1, 0), (Counts.States, Counts.DroppedStates));
    }

    [Fact]
    public void One_that_was_never_written_is_recorded_as_such()
    {
        Start(Window(Hour));
        Add(1, 5);

        Assert.Equal(TracedStateKind.Initial, Assert.Single(StopAndRead().States.ToArray()).Kind);
        Assert.Equal((1, 0, 0), (Counts.States, Counts.DroppedStates, Counts.StateBytes));
    }

    [Fact]
    public void Each_window_has_the_states_of_its_begin()
    {
        const long window = 50_000;
        Add(0, 1);
        Start(Window(window));
        for (var i = 0; i < 3; i++)
        {
            Add(0, 10);
            NextWindow(window);
        }

        Add(0, 10);

        var balances = StopAndRead().States.ToArray().Select(Balance);

        Assert.Equal([Opening + 1, Opening + 11, Opening + 21, Opening + 31], balances);
    }

    [Fact]
    public void What_was_under_way_when_a_window_began_is_in_no_state_of_it()
    {
        const long window = 50_000;
        Add(0, 1);
        Add(1, 1);
        Start(Window(window));
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var transfer = _rig.Start("Transfer", async frame =>
        {
            await _rig.Add(frame, 0, -100, ++_token);
            await held.Task;
            await _rig.Add(frame, 1, 100, ++_token);
        });
        NextWindow(window);
        var begin = _rig.Node.Engine.Now;
        _rig.Node.Turn(held.SetResult);
        _rig.End(transfer);

        // Long after it has committed, and has been overwritten.
        for (var i = 0; i < 20; i++) Add(0, 1);

        var trace = StopAndRead();
        var states = trace.States.ToArray().Where(state => trace.StartMicroseconds + state.AtMicroseconds >= begin)
            .ToDictionary(state => NumberOf(trace, state), Balance);

        Assert.True(transfer.IsCompletedSuccessfully);
        Assert.Equal(
            [("0", Opening + 1), ("1", Opening + 1)], states.Select(state => (state.Key, state.Value)).Order());
    }

    [Fact]
    public void States_that_are_too_large_are_left_out_and_counted_and_fail_no_transaction()
    {
        Add(0, 10);
        Start(new TraceRecorderOptions { RecordsCalls = true, RecordsStates = true, StateBytesMax = 1 });
        Add(0, 5);

        Assert.Equal(TracedStateKind.TooLarge, Assert.Single(StopAndRead().States.ToArray()).Kind);
        Assert.Equal((0, 1, 0), (Counts.States, Counts.DroppedStates, Counts.StateBytes));
    }

    [Fact]
    public void Where_a_window_is_dropped_versions_are_forgotten_as_ever()
    {
        var release = new TaskCompletionSource();
        _sink.Held = release.Task;
        Start(new TraceRecorderOptions
        {
            RecordsCalls = true, RecordsStates = true, ChunksMax = 2, HandOverMicroseconds = 1_000,
            WindowPeriodMicroseconds = Hour, WindowLengthMicroseconds = Hour
        });
        _rig.Until(() =>
        {
            Add(0, 1);
            return _rig.Node.Engine.TraceCounts.DroppedRecords > 10;
        }, "chunks must run out");
        for (var i = 0; i < 300; i++) Add(2, 1);

        var participant = _rig.Node.Engine.Partitions.Owner(0)!.GetParticipant(_rig.Cluster.Accounts.KeyOf(2));
        var versions = 0;
        for (var version = participant.Last; version is not null; version = version.Previous) versions++;
        _rig.Node.Turn(release.SetResult);
        StopAndRead();

        Assert.InRange(versions, 1, 150);
    }

    [Fact]
    public void Files_with_states_are_of_a_version_that_older_readers_refuse()
    {
        Start(Window(Hour));
        Add(0, 1);
        StopAndRead();

        Assert.Equal(3, _sink.Files[0].Content[7]);
    }

    [Fact]
    public void States_without_calls_are_refused_by_name()
    {
        var refusal = Assert.Throws<ValidationException>(new TraceRecorderOptions { RecordsStates = true }.Validate);
        Assert.Contains(nameof(TraceRecorderOptions.RecordsCalls), refusal.Message, StringComparison.Ordinal);
    }

    private long Opening => _rig.Cluster.Codec.Create().Balance;

    private TraceCounts Counts { get; set; }

    private static TraceRecorderOptions Window(long length) =>
        new()
        {
            RecordsCalls = true, RecordsStates = true, WindowPeriodMicroseconds = length,
            WindowLengthMicroseconds = length
        };

    private string NumberOf(AccessTrace trace, TraceState state)
    {
        var key = trace.Grains[trace.Participants[state.Participant].Grain].Key;
        return Enumerable.Range(0, 6).Single(account => _rig.Cluster.Accounts.KeyOf(account).Grain == key)
            .ToString(System.Globalization.CultureInfo.InvariantCulture);
    }

    private long Balance(TraceState state) => _rig.Cluster.Codec.Decode(state.Bytes.Span).Balance;

    private void Add(int account, long amount) =>
        _rig.Commit("Pay", async frame => await _rig.Add(frame, account, amount, ++_token));

    private void NextWindow(long length)
    {
        var next = (_rig.Node.Engine.Now / length * length) + length;
        _rig.Until(() => _rig.Node.Engine.Now >= next, "time must pass");
    }

    private void Start(TraceRecorderOptions options) =>
        _rig.Node.Turn(() => _rig.Node.Engine.StartTrace(options, _sink, "silo", "test"));

    private AccessTrace StopAndRead()
    {
        Counts = _rig.StopTrace();
        return _sink.Read();
    }
}
