using System.ComponentModel.DataAnnotations;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Tests.Agents;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Tests.Tracing;

public sealed class TraceRecorderTests
{
    private readonly EngineRig _rig = new();
    private readonly HeldSink _sink = new();
    private long _token;

    [Fact]
    public void A_transaction_is_recorded_with_its_accesses_in_order()
    {
        Start();
        _rig.Commit("Pay", async frame =>
        {
            await _rig.State(3).ReadAsync(frame, state => state.Balance);
            await _rig.Add(frame, 1, 10, ++_token);
        });

        var trace = StopAndRead();

        var transaction = Assert.Single(trace.Transactions.ToArray());
        Assert.True(transaction.IsCommitted);
        Assert.Equal(("Pay", 1), (trace.Types[transaction.Type], transaction.Attempts));
        Assert.True(transaction.DurationMicroseconds > 0);
        var accesses = trace.AccessesOf(transaction).ToArray();
        Assert.Equal(
            [AccessKind.Read, AccessKind.Update], accesses.Select(access => trace.Sites[access.Site].Key.Kind));
        Assert.Equal(["IRoot.Pay", "IRoot.Pay"], accesses.Select(access => trace.Sites[access.Site].Key.Path));
        Assert.Equal(
            [_rig.Cluster.Accounts.KeyOf(3).Grain, _rig.Cluster.Accounts.KeyOf(1).Grain],
            accesses.Select(access => trace.Grains[trace.Participants[access.Participant].Grain].Key));
        Assert.All(accesses, access => Assert.False(access.IsParallel || access.MetConflict));
        Assert.Equal(default, trace.Losses);
    }

    [Fact]
    public void Attempts_are_counted_and_the_last_ones_accesses_are_kept()
    {
        Start();
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var runs = 0;
        var transfer = _rig.Start("Transfer", async frame =>
        {
            await _rig.State(0).ReadAsync(frame, state => state.Balance);
            if (++runs == 1) await held.Task;
            await _rig.Add(frame, runs, 5, ++_token);
            await _rig.Add(frame, 0, -5, ++_token);
        });
        _rig.Commit("Other", async frame => await _rig.Add(frame, 0, 1, ++_token));
        _rig.Node.Turn(held.SetResult);
        _rig.End(transfer);
        Assert.True(transfer.IsCompletedSuccessfully);

        var trace = StopAndRead();

        var retried = trace.Transactions.ToArray().Single(transaction => trace.Types[transaction.Type] == "Transfer");
        Assert.Equal((2, true), (retried.Attempts, retried.LastAttemptMicroseconds > 0));
        Assert.Equal(
            [
                _rig.Cluster.Accounts.KeyOf(0).Grain,
                _rig.Cluster.Accounts.KeyOf(2).Grain,
                _rig.Cluster.Accounts.KeyOf(0).Grain
            ],
            trace.AccessesOf(retried).ToArray()
                .Select(access => trace.Grains[trace.Participants[access.Participant].Grain].Key));
        Assert.Equal(2, trace.Transactions.Length);
    }

    [Fact]
    public void A_transaction_that_is_given_up_is_recorded_with_the_reason()
    {
        Start();
        _rig.Run("Broken", async frame =>
        {
            await _rig.State(0).ReadAsync(frame, state => state.Balance);
            throw new InvalidOperationException("no");
        });
        Pay();

        var trace = StopAndRead();

        Assert.Equal(
            [("Broken", AbortReason.UserException), ("Pay", AbortReason.None)],
            trace.Transactions.ToArray().Select(transaction => (trace.Types[transaction.Type], transaction.Outcome)));
    }

    [Fact]
    public void An_access_says_whether_it_met_a_conflict()
    {
        Start();
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var first = _rig.Start("First", async frame =>
        {
            await _rig.Add(frame, 0, 1, ++_token);
            await held.Task;
        });
        _rig.Run("Second", async frame => await _rig.State(0).ReadAsync(frame, state => state.Balance));
        _rig.Node.Turn(held.SetResult);
        _rig.End(first);

        var trace = StopAndRead();

        Assert.Equal(
            [("First", false), ("Second", true)],
            trace.Transactions.ToArray()
                .Select(transaction => (trace.Types[transaction.Type], trace.AccessesOf(transaction)[0].MetConflict)));
    }

    [Fact]
    public void Only_what_is_within_windows_is_recorded()
    {
        Start(new TraceRecorderOptions { WindowPeriodMicroseconds = 10_000, WindowLengthMicroseconds = 5_000 });
        const int Payments = 100;
        for (var i = 0; i < Payments; i++) Pay();

        var trace = StopAndRead();

        Assert.InRange(trace.Transactions.Length, 1, Payments - 1);
        Assert.True(trace.Windows.Count > 1);
        Assert.All(trace.Windows, window => Assert.InRange(window.LengthMicroseconds, 1, 5_000));
        foreach (var transaction in trace.Transactions.ToArray())
            Assert.Contains(trace.Windows, window => window.Contains(transaction.ArrivalMicroseconds));
        Assert.Equal(0, trace.Losses.Records);
    }

    [Fact]
    public void Without_a_free_chunk_the_rest_of_the_window_is_dropped_and_counted_and_the_next_window_is_whole()
    {
        var release = new TaskCompletionSource();
        _sink.Held = release.Task;
        Start(new TraceRecorderOptions
        {
            WindowPeriodMicroseconds = 20_000, WindowLengthMicroseconds = 20_000, ChunksMax = 2,
            HandOverMicroseconds = 1_000
        });
        _rig.Until(() =>
        {
            Pay();
            return _rig.Node.Engine.TraceCounts.DroppedRecords > 10;
        }, "chunks must run out");
        _rig.Node.Turn(release.SetResult);
        var dropped = _rig.Node.Engine.TraceCounts;
        for (var i = 0; i < 100; i++) Pay();

        var trace = StopAndRead();

        Assert.True(trace.Losses.Records >= dropped.DroppedRecords);
        Assert.True(trace.Losses.Windows > 0);
        Assert.True(trace.Windows.Count > 1);
        Assert.True(trace.Transactions.Length > 20);
        Assert.Equal(0, trace.Losses.Transactions);
    }

    [Fact]
    public void A_file_that_has_grown_is_followed_by_another_that_names_everything_again()
    {
        Start(new TraceRecorderOptions { FileBytesMax = 1, HandOverMicroseconds = 1_000 });
        for (var i = 0; i < 30; i++) Pay();

        var trace = StopAndRead();

        Assert.True(_sink.Files.Count > 2);
        Assert.Equal(30, trace.Transactions.Length);
        Assert.Equal(2, trace.Participants.Count);
        Assert.Single(trace.Windows);
        foreach (var file in _sink.Files) Assert.NotEqual(0, Read([file]).Accesses.Length);
    }

    [Fact]
    public void Files_of_periods_hold_what_was_recorded_within_theirs()
    {
        const long Period = 1_000_000;
        Start(new TraceRecorderOptions { FilePeriodMicroseconds = Period, HandOverMicroseconds = 1_000 });
        for (var period = 0; period < 3; period++)
        {
            var next = (_rig.Node.Engine.Now / Period * Period) + Period;
            for (var i = 0; i < 5; i++) Pay();
            _rig.Until(() => _rig.Node.Engine.Now >= next, "time must pass");
        }

        Pay();
        var trace = StopAndRead();

        Assert.Equal(16, trace.Transactions.Length);
        Assert.Single(trace.Windows);
        Assert.True(_sink.Files.Count >= 4);
        foreach (var file in _sink.Files)
        {
            var own = Read([file]);
            Assert.Single(own.Transactions.ToArray()
                .Select(transaction => (own.StartMicroseconds + transaction.ArrivalMicroseconds) / Period).Distinct());
        }
    }

    [Fact]
    public void A_period_of_files_below_a_second_is_refused() =>
        Assert.Throws<ValidationException>(
            () => new TraceRecorderOptions { FilePeriodMicroseconds = 1_000 }.Validate());

    [Fact]
    public void When_the_sink_fails_the_window_is_lost_and_another_file_is_begun()
    {
        Start(new TraceRecorderOptions
        {
            WindowPeriodMicroseconds = 20_000, WindowLengthMicroseconds = 20_000, HandOverMicroseconds = 1_000
        });
        _rig.Until(() =>
        {
            Pay();
            return _sink.Files.Any(file => file.Content.Length > 0);
        }, "the first chunk must be written");
        _sink.Failing = 1;
        for (var i = 0; i < 100; i++) Pay();

        var trace = StopAndRead();

        Assert.Equal(2, _sink.Files.Count);
        Assert.InRange(trace.Transactions.Length, 1, 100);
        Assert.Equal(1, trace.Losses.Windows);
        Assert.True(trace.Losses.Records > 0);
    }

    [Fact]
    public void Keys_are_hashed_by_the_secret_and_stay_apart()
    {
        Start(new TraceRecorderOptions { KeySalt = "a secret" });
        Pay();

        var trace = StopAndRead();

        Assert.Equal(2, trace.Grains.Select(grain => grain.Key).Distinct().Count());
        Assert.All(trace.Grains, grain => Assert.Matches("^[0-9a-f]{32}$", grain.Key));
    }

    [Fact]
    public void It_records_again_after_it_was_stopped()
    {
        Start();
        Pay();
        Assert.Equal(1, StopAndRead().Transactions.Length);
        Pay();
        Start();
        Pay();
        Pay();

        var trace = StopAndRead();

        Assert.Equal(2, _sink.Files.Count);
        Assert.Equal(3, trace.Transactions.Length);
        Assert.Equal(2, trace.Participants.Count);
    }

    [Fact]
    public void Who_records_already_is_not_told_to_again()
    {
        Start();
        Assert.Throws<InvalidOperationException>(() => Start());
    }

    [Fact]
    public void Options_out_of_bounds_are_refused_by_name()
    {
        var windows = Assert.Throws<ValidationException>(
            () => Start(new TraceRecorderOptions
            {
                WindowPeriodMicroseconds = 2_000, WindowLengthMicroseconds = 3_000
            }));
        Assert.Contains(
            nameof(TraceRecorderOptions.WindowLengthMicroseconds), windows.Message, StringComparison.Ordinal);
        var salt = Assert.Throws<ValidationException>(() => Start(new TraceRecorderOptions { KeySalt = "short" }));
        Assert.Contains(nameof(TraceRecorderOptions.KeySalt), salt.Message, StringComparison.Ordinal);
    }

    private void Pay() => _rig.Commit("Pay", async frame =>
    {
        await _rig.Add(frame, 0, -1, ++_token);
        await _rig.Add(frame, 1, 1, ++_token);
    });

    private void Start(TraceRecorderOptions? options = null)
    {
        Exception? refusal = null;
        _rig.Node.Turn(
            () => refusal = Record.Exception(
                () => _rig.Node.Engine.StartTrace(options ?? new TraceRecorderOptions(), _sink, "node")));
        if (refusal is not null) throw refusal;
    }

    private AccessTrace StopAndRead()
    {
        _rig.StopTrace();
        return _sink.Read();
    }

    private static AccessTrace Read(IEnumerable<(string Name, byte[] Content)> files) =>
        TraceFile.Read([
            .. files.Select(file => (file.Name, (Func<Stream>)(() => new MemoryStream(file.Content))))
        ]).Trace;
}
