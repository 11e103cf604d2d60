using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;
using Polyjuice.Wire;
using Failure = Polyjuice.Tests.Storage.Rows.FlakyRow<Polyjuice.Simulation.Grains.Account>.Failure;

namespace Polyjuice.Tests.Storage.Rows;

/// <summary>A row as a log: what is appended is what a successor reads, whatever happens on the way.</summary>
public sealed class RowLogTests
{
    private readonly RowRig _rig = new();

    [Fact]
    public async Task A_prepare_is_read_back_with_all_that_a_log_would_say_of_it()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Prepare(2, below: 1, manager: 4, dependencies: (1, 77)));
        var prepares = (await _rig.Recover()).Prepares.ToArray();
        Assert.Equal([RowRig.Id(1), RowRig.Id(2)], prepares.Select(prepare => prepare.Id));
        var prepare = prepares[1];
        Assert.Equal(
            ("Transfer", 1, RowRig.Timestamp(2) + 1, 4, 17L),
            (prepare.Type, prepare.Round, prepare.Timestamp, prepare.Manager, prepare.ManagerEpoch));
        Assert.Equal([(_rig.Partition, 5L), (0, 6L)], prepare.Parts.Select(part => (part.Partition, part.Epoch)));
        Assert.Equal([(RowRig.Id(1), 77L)], prepare.Dependencies);
        Assert.Equal(
            (new VersionId(RowRig.Id(2), 1), new VersionId(RowRig.Id(1), 1), 2L),
            (prepare.Writes[0].Id, prepare.Writes[0].Base, _rig.Balance(prepare.Writes[0].Encoded)));
    }

    [Fact]
    public async Task Records_of_which_their_keys_say_all_are_one_object()
    {
        await _rig.Fence();
        var records = (await _rig.Content()).Metadata.CommitRecords.Values.ToArray();
        Assert.Equal(2, records.Length);
        Assert.Same(records[0], records[1]);
    }

    [Fact]
    public async Task One_participant_takes_one_store()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1));
        Assert.Equal(2, _rig.Flaky.Stores.Count);
        var row = await _rig.Content();
        Assert.Equal((1, 1), (row.CommittedSequenceId, row.CommittedState!.Balance));
        Assert.Empty(row.PendingStates);
        Assert.True((await _rig.Recover()).OutcomeOf(RowRig.Id(1)));
    }

    [Fact]
    public async Task Of_several_commits_in_one_batch_the_last_state_is_stored()
    {
        await _rig.Fence();
        await _rig.Append(
            _rig.Prepare(1, below: 0),
            _rig.Commit(1),
            _rig.Prepare(2, below: 1),
            _rig.Commit(2),
            _rig.Prepare(3, below: 2));
        var (prepare, commitUpTo, abortAfter) = _rig.Flaky.Stores[^1];
        Assert.Equal([(1, 2L), (2, 3L)], prepare.Select(state => (state.SequenceId, state.State.Balance)));
        Assert.Equal((1, null), (commitUpTo, abortAfter));
        Assert.Equal(RowRig.Timestamp(2) + 1, (await _rig.Recover()).States[RowRig.Key].Timestamp);
    }

    [Fact]
    public async Task A_store_that_threw_and_was_done_is_found()
    {
        await _rig.Fence();
        var batch = _rig.Batch(_rig.Prepare(1, below: 0), _rig.Commit(1));
        _rig.Flaky.Failures.Enqueue(Failure.After);
        await Assert.ThrowsAsync<IOException>(() => _rig.TryAppend(batch));
        Assert.Equal(AppendResult.Appended, await _rig.TryAppend(batch));
        Assert.Equal(2, _rig.Flaky.Stores.Count);
        await _rig.Append(_rig.Prepare(2, below: 1));
        Assert.Equal(1, (await _rig.Content()).CommittedState!.Balance);
    }

    [Theory]
    [InlineData(nameof(Failure.Before))]
    [InlineData(nameof(Failure.HalfWay))]
    public async Task A_store_that_threw_and_was_not_done_is_made_again(string how)
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0));
        var batch = _rig.Batch(RowRig.Outcome(1, committed: false), _rig.Prepare(2, below: 0));
        for (var i = 0; i < 3; i++)
        {
            _rig.Flaky.Failures.Enqueue(Enum.Parse<Failure>(how));
            await Assert.ThrowsAsync<IOException>(() => _rig.TryAppend(batch));
        }

        Assert.Equal(AppendResult.Appended, await _rig.TryAppend(batch));
        var pending = Assert.Single((await _rig.Content()).PendingStates);
        Assert.Equal((1, 2), (pending.SequenceId, pending.State.Balance));
        Assert.Equal([RowRig.Id(2)], (await _rig.Recover()).Prepares.Select(prepare => prepare.Id));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Who_has_heard_what_contradicts_itself_was_deposed_or_is_broken(bool isDeposed)
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Prepare(2, below: 1));
        if (isDeposed)
        {
            var successor = _rig.Open();
            await successor.GetEndAsync(default);
            var fence = _rig.Batch(batch => LogRecords.WriteFence(batch, new NodeId(10)));
            var batchId = new BatchId(10, 1);
            var appended = await successor.AppendAsync(_rig.End, batchId, fence.Bytes.WrittenMemory, default);
            Assert.Equal(AppendResult.Appended, appended);
        }

        // Who can't load the row yet does not know which, and has nothing to store.
        var batch = _rig.Batch(RowRig.Outcome(1, committed: false), RowRig.Outcome(2));
        var stores = _rig.Flaky.Stores.Count;
        _rig.Flaky.FailingLoads = 2;
        for (var i = 0; i < 2; i++) await Assert.ThrowsAsync<IOException>(() => _rig.TryAppend(batch));
        Assert.Equal(stores, _rig.Flaky.Stores.Count);

        if (isDeposed) Assert.Equal(AppendResult.Conflict, await _rig.TryAppend(batch));
        else await Assert.ThrowsAsync<InvariantException>(() => _rig.TryAppend(batch));
    }

    [Fact]
    public async Task What_a_store_has_left_that_failed_half_way_does_not_count_and_goes()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0));
        _rig.Flaky.Failures.Enqueue(Failure.HalfWay);
        await Assert.ThrowsAsync<IOException>(
            () => _rig.TryAppend(_rig.Batch(_rig.Prepare(2, below: 1), _rig.Prepare(3, below: 2))));
        Assert.Equal(3, (await _rig.Content()).PendingStates.Count);

        var successor = _rig.Open();
        Assert.Equal([RowRig.Id(1)], (await _rig.Recover(successor)).Prepares.Select(prepare => prepare.Id));
        var fence = _rig.Batch(batch => LogRecords.WriteFence(batch, new NodeId(10)));
        Assert.Equal(
            AppendResult.Appended,
            await successor.AppendAsync(_rig.End, new BatchId(10, 1), fence.Bytes.WrittenMemory, default));
        Assert.Single((await _rig.Content()).PendingStates);
    }

    [Fact]
    public async Task A_state_that_did_not_abort_is_never_replaced_whatever_part_of_a_store_is_done()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0));
        _rig.Flaky.Failures.Enqueue(Failure.HalfWay);
        await Assert.ThrowsAsync<IOException>(
            () => _rig.TryAppend(_rig.Batch(RowRig.Outcome(1), _rig.Prepare(2, below: 1), _rig.Commit(2))));
        Assert.Equal([RowRig.Id(1)], (await _rig.Recover()).Prepares.Select(prepare => prepare.Id));
    }

    [Fact]
    public async Task A_rival_fences_the_row()
    {
        await _rig.Fence();
        var rival = _rig.Open();
        var end = await rival.GetEndAsync(default);
        Assert.Equal(_rig.End, end);
        var fence = _rig.Batch(batch => LogRecords.WriteFence(batch, new NodeId(10)));
        Assert.Equal(
            AppendResult.Appended,
            await rival.AppendAsync(end, new BatchId(10, 1), fence.Bytes.WrittenMemory, default));

        var late = _rig.Batch(_rig.Prepare(1, below: 0), _rig.Commit(1));
        await Assert.ThrowsAsync<InvalidOperationException>(() => _rig.TryAppend(late));
        Assert.Equal(AppendResult.Conflict, await _rig.TryAppend(late));
        Assert.Equal(0, (await _rig.Content()).CommittedSequenceId);
    }

    [Fact]
    public async Task A_position_that_is_not_the_end_is_a_conflict()
    {
        await _rig.Fence();
        var batch = _rig.Batch(_rig.Prepare(1, below: 0));
        Assert.Equal(
            AppendResult.Conflict,
            await _rig.Log.AppendAsync(_rig.End - 1, batch.Id, batch.Bytes.WrittenMemory, default));
        Assert.Equal(
            AppendResult.Conflict,
            await _rig.Log.AppendAsync(_rig.End + 1, batch.Id, batch.Bytes.WrittenMemory, default));
    }

    [Fact]
    public async Task What_was_built_on_an_aborted_state_goes_with_it_and_the_numbers_are_used_again()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Prepare(2, below: 1), _rig.Prepare(3, below: 2));
        await _rig.Append(RowRig.Outcome(2, committed: false), _rig.Prepare(4, below: 1));
        Assert.Equal(
            [(1, 1L), (2, 4L)],
            (await _rig.Content()).PendingStates.Select(state => (state.SequenceId, state.State.Balance)));
        Assert.Equal(2, _rig.Flaky.Stores[^1].AbortAfter);
    }

    [Fact]
    public async Task A_later_round_takes_the_earlier_ones_place()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0));
        await _rig.Append(_rig.Prepare(1, below: 0, round: 2));
        var prepare = Assert.Single((await _rig.Recover()).Prepares);
        Assert.Equal((2, RowRig.Timestamp(1) + 2), (prepare.Round, prepare.Timestamp));
        Assert.Single((await _rig.Content()).PendingStates);
    }

    [Fact]
    public async Task A_commit_above_what_is_undecided_is_remembered_until_that_is_decided()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Prepare(2, below: 1));
        await _rig.Append(RowRig.Outcome(2));
        Assert.Equal(0, (await _rig.Content()).CommittedSequenceId);
        Assert.True((await _rig.Recover()).OutcomeOf(RowRig.Id(2)));
        await _rig.Append(RowRig.Outcome(1));
        Assert.Equal(
            (2, 2), ((await _rig.Content()).CommittedSequenceId, (await _rig.Content()).CommittedState!.Balance));
    }

    [Fact]
    public async Task A_commit_record_keeps_whom_it_waits_for_and_goes_when_it_is_forgotten()
    {
        await _rig.Fence();
        var other = _rig.Names.NumberOf(new RowKey("Account/2", "balance"));
        await _rig.Append(
            _rig.Prepare(1, below: 0),
            _rig.Commit(1, acknowledge: [2, other], dependencies: [new(RowRig.Id(8), other, 12)]));
        var commit = (await _rig.Recover()).Commits[RowRig.Id(1)];
        Assert.Equal([2, other], commit.MustAcknowledge);
        Assert.Equal([new CommitDependency(RowRig.Id(8), other, 12)], commit.Dependencies);
        Assert.Null((await _rig.Recover()).OutcomeOf(RowRig.Id(1)));
        Assert.Equal(0, (await _rig.Content()).CommittedSequenceId);

        await _rig.Append(RowRig.Resolved(1, committed: true));
        Assert.True((await _rig.Recover()).OutcomeOf(RowRig.Id(1)));
        Assert.Equal(1, (await _rig.Content()).CommittedSequenceId);
        await _rig.Append(RowRig.Forget(1), RowRig.Done(2));
        Assert.Empty((await _rig.Recover()).Commits);
    }

    [Fact]
    public async Task A_commit_record_whose_dependency_aborted_is_no_record_any_more()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1, dependencies: [new(RowRig.Id(8), 0, 12)]));
        await _rig.Append(RowRig.Resolved(1, committed: false));
        var image = await _rig.Recover();
        Assert.Empty(image.Commits);
        Assert.Empty(image.Prepares);
        Assert.Empty((await _rig.Content()).PendingStates);
    }

    [Fact]
    public async Task A_reader_of_what_is_undecided_leaves_a_record_without_a_state()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Read(2, of: 1));
        Assert.Single((await _rig.Content()).PendingStates);
        var read = (await _rig.Recover()).Prepares.Single(prepare => prepare.Id == RowRig.Id(2));
        Assert.Equal([(RowRig.Id(1), 5L)], read.Dependencies);
        await _rig.Append(RowRig.Outcome(1), RowRig.Outcome(2));
        Assert.True((await _rig.Recover()).OutcomeOf(RowRig.Id(2)));
        await _rig.Append(RowRig.Done(3));
        Assert.Null((await _rig.Recover()).OutcomeOf(RowRig.Id(2)));
    }

    [Fact]
    public async Task A_record_stays_as_it_was_written_until_it_says_something_else()
    {
        await _rig.Fence();
        await _rig.Append(
            _rig.Prepare(1, below: 0),
            _rig.Commit(1, acknowledge: [2], dependencies: [new(RowRig.Id(8), 0, 12)]),
            _rig.Read(5, of: 1));
        var written = await Records();
        await _rig.Append(_rig.Prepare(2, below: 1));
        Assert.Equal(written, await Records());
        await _rig.Append(RowRig.Resolved(1, committed: true), _rig.Read(5, of: 1, round: 2));
        Assert.Empty(written.Intersect(await Records()));
        var image = await _rig.Recover();
        Assert.Empty(image.Commits[RowRig.Id(1)].Dependencies);
        Assert.Equal(2, image.Prepares.Single(prepare => prepare.Id == RowRig.Id(5)).Round);

        async Task<string[]> Records() =>
            [
                .. (await _rig.Content()).Metadata.CommitRecords.Values.SelectMany(record => record.WriteParticipants)
                .Select(participant => participant.Name).Order(StringComparer.Ordinal)
            ];
    }

    [Fact]
    public async Task An_outcome_is_kept_while_what_depends_on_it_is_undecided()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0));
        await _rig.Append(_rig.Prepare(2, below: 1, dependencies: (1, 5)), RowRig.Outcome(1), RowRig.Done(2));
        Assert.True((await _rig.Recover()).OutcomeOf(RowRig.Id(1)));
        await _rig.Append(RowRig.Outcome(2), RowRig.Done(3));
        await _rig.Append(RowRig.Done(3));
        Assert.Null((await _rig.Recover()).OutcomeOf(RowRig.Id(1)));
    }

    [Fact]
    public async Task The_time_stamp_is_above_all_that_was_ordered_or_may_be_read()
    {
        await _rig.Fence();
        await _rig.Append(
            batch => LogRecords.WriteCeiling(batch, RowRig.Timestamp(50)), _rig.Prepare(1, below: 0), _rig.Commit(1));
        Assert.Equal(RowFormat.TimeOf(RowRig.Timestamp(50)), (await _rig.Content()).Metadata.TimeStamp);
        await _rig.Append(_rig.Prepare(60, below: 1), _rig.Commit(60));
        Assert.True((await _rig.Recover()).Ceiling >= RowRig.Timestamp(60) + 1);
    }

    [Fact]
    public async Task Epochs_do_not_come_again_when_another_engine_has_taken_the_head_away()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1));
        var row = await _rig.Content();
        await _rig.Row.StoreAsync(
            row.ETag, row.Metadata with { CommitRecords = new Dictionary<Guid, RowCommitRecord>() }, [], null, null,
            default);
        var later = new RowLog<Account>(
            RowRig.Key, _rig.Partition, _rig.Codec, _rig.Row, _rig.Names, _rig.Options, () => RowRig.Now + 10);
        Assert.Equal(RowRig.Now + 1_000, await later.GetEndAsync(default));
        Assert.True(RowRig.Now + 1_000 > _rig.End);
    }

    [Fact]
    public async Task A_row_whose_time_stamp_is_far_in_the_future_is_refused()
    {
        await _rig.Row.StoreAsync(
            null, RowMetadata.Empty with { TimeStamp = new DateTime(2400, 1, 1, 0, 0, 0, DateTimeKind.Utc) }, [], null,
            null, default);
        var refused = await Assert.ThrowsAsync<LogUnusableException>(async () => await _rig.Log.GetEndAsync(default));
        Assert.Contains("Account/1.balance", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_row_is_full_until_records_can_go()
    {
        await _rig.Fence();
        var below = 0;
        for (var number = 1; number <= 20; number++)
        {
            await _rig.Append(_rig.Prepare(number, below), _rig.Commit(number));
            below = number;
        }

        Assert.True(_rig.Log.IsFull);
        await _rig.Append(RowRig.Done(21));
        Assert.False(_rig.Log.IsFull);
    }

    [Fact]
    public async Task A_row_at_rest_holds_nothing_that_another_engine_would_have_to_understand()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1, acknowledge: [2]), _rig.Prepare(2, below: 1));
        await _rig.Append(RowRig.Outcome(2), RowRig.Forget(1), RowRig.Done(3));
        var row = await _rig.Content();
        Assert.Empty(row.PendingStates);
        Assert.Equal(2, row.CommittedState!.Balance);
        Assert.All(row.Metadata.CommitRecords.Values, record => Assert.Empty(record.WriteParticipants));
        Assert.All(row.Metadata.CommitRecords.Values, record => Assert.True(record.Timestamp.Year > 2020));
    }
}
