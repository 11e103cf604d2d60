using Polyjuice.Storage;

namespace Polyjuice.Tests.Shared;

/// <summary>A state for tests of row stores.</summary>
public sealed class RowText
{
    /// <summary>What it says.</summary>
    public string Text { get; set; } = "";
}

/// <summary>
/// What <see cref="IRowStore{T}"/> promises, as tests: a store inherits them. Each test has rows of its own.
/// </summary>
public abstract class RowStoreContract
{
    private static readonly DateTime Time = new(2026, 3, 4, 5, 6, 7, 890, DateTimeKind.Utc);
    private static readonly RowParticipant Manager = new("balance", "Account/7", 5);

    /// <summary>
    /// Opens a row of this test's, as one process would; a row that was never stored is there all the same.
    /// </summary>
    internal abstract IRowStore<RowText> Open(string grain, string state);

    private IRowStore<RowText> Row { get => field ??= Open("Account/1", "balance"); }

    [ConditionalFact]
    public async Task A_row_that_was_never_stored_is_empty()
    {
        var row = await Row.LoadAsync(default);
        Assert.Null(row.ETag);
        Assert.Equal(0, row.CommittedSequenceId);
        Assert.Empty(row.PendingStates);
        Assert.Empty(row.Metadata.CommitRecords);
        Assert.Equal(default, row.Metadata.TimeStamp);
    }

    [ConditionalFact]
    public async Task What_was_prepared_is_found_by_another()
    {
        await Store(null, Empty, [Pending(1, "one"), Pending(2, "two") with { Manager = null }]);
        var row = await Open("Account/1", "balance").LoadAsync(default);
        Assert.Equal(0, row.CommittedSequenceId);
        Assert.Equal(["one", "two"], row.PendingStates.Select(pending => pending.State.Text));
        Assert.Equal([1, 2], row.PendingStates.Select(pending => pending.SequenceId));
        Assert.Equal([Manager, null], row.PendingStates.Select(pending => pending.Manager));
        Assert.Equal(Pending(1, "").TransactionId, row.PendingStates[0].TransactionId);
        Assert.Equal(
            (Time.AddTicks(1), DateTimeKind.Utc),
            (row.PendingStates[0].TimeStamp, row.PendingStates[0].TimeStamp.Kind));
    }

    [ConditionalFact]
    public async Task What_is_prepared_and_committed_at_once_is_the_committed_state()
    {
        await Store(null, Empty, [Pending(1, "one")], commitUpTo: 1);
        var row = await Row.LoadAsync(default);
        Assert.Equal((1, "one"), (row.CommittedSequenceId, row.CommittedState!.Text));
        Assert.DoesNotContain(row.PendingStates, pending => pending.SequenceId > 1);
    }

    [ConditionalFact]
    public async Task A_commit_makes_what_was_prepared_before_it_obsolete_and_leaves_what_comes_after()
    {
        var etag = await Store(
            null, Empty, [Pending(1, "one"), Pending(2, "two"), Pending(3, "three"), Pending(4, "four")]);
        await Store(etag, Empty, [Pending(5, "five")], commitUpTo: 3);
        var row = await Row.LoadAsync(default);
        Assert.Equal((3, "three"), (row.CommittedSequenceId, row.CommittedState!.Text));
        Assert.Equal(
            ["four", "five"],
            row.PendingStates.Where(pending => pending.SequenceId > 3).Select(pending => pending.State.Text));
    }

    [ConditionalFact]
    public async Task A_commit_that_was_made_before_changes_nothing()
    {
        var etag = await Store(null, Empty, [Pending(1, "one"), Pending(2, "two")], commitUpTo: 2);
        await Store(etag, Empty, [], commitUpTo: 1);
        var row = await Row.LoadAsync(default);
        Assert.Equal((2, "two"), (row.CommittedSequenceId, row.CommittedState!.Text));
    }

    [ConditionalFact]
    public async Task An_abort_removes_what_was_prepared_above_and_not_at_its_number()
    {
        var etag = await Store(null, Empty, [Pending(1, "one"), Pending(2, "two"), Pending(3, "three")]);
        await Store(etag, Empty, [Pending(2, "another")], abortAfter: 2);
        Assert.Equal(
            ["one", "another"], (await Row.LoadAsync(default)).PendingStates.Select(pending => pending.State.Text));
    }

    [ConditionalFact]
    public async Task Metadata_is_replaced_as_a_whole()
    {
        var (one, two) =
            (new Guid("0199d5b1-1111-8222-8333-444444444444"), new Guid("7f3d2c1b-5a69-4788-96a5-b4c3d2e1f001"));
        var etag = await Store(null, Of(Time, (one, []), (two, [Manager])), []);
        var loaded = (await Row.LoadAsync(default)).Metadata;
        Assert.Equal((Time, DateTimeKind.Utc), (loaded.TimeStamp, loaded.TimeStamp.Kind));
        Assert.Empty(loaded.CommitRecords[one].WriteParticipants);
        Assert.Equal([Manager], loaded.CommitRecords[two].WriteParticipants);
        Assert.Equal(Time.AddTicks(3), loaded.CommitRecords[two].Timestamp);

        await Store(etag, Of(Time.AddTicks(7), (one, [])), []);
        loaded = (await Row.LoadAsync(default)).Metadata;
        Assert.Equal(Time.AddTicks(7), loaded.TimeStamp);
        Assert.Equal([one], loaded.CommitRecords.Keys);
    }

    [ConditionalFact]
    public async Task A_name_may_be_long_and_of_any_characters()
    {
        var manager = new RowParticipant(
            "polyjuice/1 6f " + new string('+', 3_000) + "ä=", "Konto/größer als/\"alles\"");
        await Store(
            null,
            Of(Time, (Guid.Parse("0199d5b1-1111-8222-8333-444444444444"), [manager])),
            [Pending(1, "one") with { Manager = manager }]);
        var row = await Row.LoadAsync(default);
        Assert.Equal(manager, row.PendingStates[0].Manager);
        Assert.Equal([manager], row.Metadata.CommitRecords.Values.Single().WriteParticipants);
    }

    [ConditionalFact]
    public async Task A_store_of_another_version_throws_and_changes_nothing()
    {
        var first = await Store(null, Empty, [Pending(1, "one")]);
        var second = await Store(first, Empty, [], commitUpTo: 1);
        Assert.NotEqual(first, second);
        await Assert.ThrowsAnyAsync<Exception>(
            () => StoreAt(Open("Account/1", "balance"), first, [Pending(2, "late")]));
        await Assert.ThrowsAnyAsync<Exception>(() => StoreAt(Open("Account/1", "balance"), null, [Pending(2, "late")]));
        await Assert.ThrowsAnyAsync<Exception>(
            () => StoreAt(Open("Account/2", "balance"), second, [Pending(2, "late")]));
        var row = await Open("Account/1", "balance").LoadAsync(default);
        Assert.Equal((second, 1), (row.ETag, row.CommittedSequenceId));
        Assert.DoesNotContain(row.PendingStates, pending => pending.SequenceId > 1);
        Assert.Null((await Open("Account/2", "balance").LoadAsync(default)).ETag);
    }

    [ConditionalFact]
    public async Task A_store_that_changes_nothing_else_changes_the_version()
    {
        var first = await Store(null, Empty, []);
        Assert.NotEqual(first, await Store(first, Empty, []));
    }

    [ConditionalFact]
    public async Task Of_two_stores_on_one_version_one_is_done()
    {
        var etag = await Store(null, Empty, []);
        var rivals = new[] { Open("Account/1", "balance"), Open("Account/1", "balance") };
        foreach (var rival in rivals) await rival.LoadAsync(default);
        var results = await Task.WhenAll(rivals.Select(async (rival, i) =>
        {
            try
            {
                return await StoreAt(rival, etag, [Pending(1, $"rival {i}")]);
            }
            catch (Exception)
            {
                return null;
            }
        }));
        Assert.Single(results, result => result is not null);
        var row = await Open("Account/1", "balance").LoadAsync(default);
        Assert.Equal(results.Single(result => result is not null), row.ETag);
        Assert.Equal(
            $"rival {Array.FindIndex(results, result => result is not null)}",
            Assert.Single(row.PendingStates).State.Text);
    }

    [ConditionalFact]
    public async Task After_a_store_that_threw_the_row_can_be_loaded_and_stored()
    {
        var etag = await Store(null, Empty, [Pending(1, "one")]);
        await Assert.ThrowsAnyAsync<Exception>(() => StoreAt(Row, "no version", [Pending(2, "two")]));
        Assert.Equal(etag, (await Row.LoadAsync(default)).ETag);
        await Store(etag, Empty, [Pending(2, "two")], commitUpTo: 2);
        Assert.Equal("two", (await Row.LoadAsync(default)).CommittedState!.Text);
    }

    [ConditionalFact]
    public async Task Many_states_may_be_prepared_at_once()
    {
        var etag = await Store(null, Empty, [.. Enumerable.Range(1, 150).Select(n => Pending(n, $"state {n}"))]);
        etag = await Store(etag, Empty, [], commitUpTo: 20, abortAfter: 140);
        var row = await Row.LoadAsync(default);
        Assert.Equal((etag, 20, "state 20"), (row.ETag, row.CommittedSequenceId, row.CommittedState!.Text));
        Assert.Equal(
            Enumerable.Range(21, 120).Select(n => (long)n),
            row.PendingStates.Where(pending => pending.SequenceId > 20).Select(pending => pending.SequenceId));
    }

    [ConditionalFact]
    public async Task Rows_are_apart()
    {
        await Store(null, Empty, [Pending(1, "one")], commitUpTo: 1);
        Assert.Null((await Open("Account/1", "savings").LoadAsync(default)).ETag);
        Assert.Null((await Open("Account/11", "balance").LoadAsync(default)).ETag);
    }

    private static RowMetadata Empty => Of(Time);

    private static RowMetadata Of(DateTime time, params (Guid Id, RowParticipant[] Participants)[] records) =>
        new(
            time,
            records.ToDictionary(
                record => record.Id, record => new RowCommitRecord(Time.AddTicks(3), record.Participants)));

    private static RowPendingState<RowText> Pending(long sequence, string text) =>
        new(
            sequence,
            $"0199d5b1-0000-8000-8000-{sequence:x12}",
            Time.AddTicks(sequence),
            Manager,
            new RowText { Text = text });

    private async Task<string> Store(
        string? etag, RowMetadata metadata, RowPendingState<RowText>[] prepare, long? commitUpTo = null,
        long? abortAfter = null)
    {
        // A store says what it has when it is asked, and some want to be asked first.
        if (etag is null) await Row.LoadAsync(default);
        return await Row.StoreAsync(etag, metadata, prepare, commitUpTo, abortAfter, default);
    }

    private static async Task<string> StoreAt(IRowStore<RowText> row, string? etag, RowPendingState<RowText>[] prepare)
    {
        await row.LoadAsync(default);
        return await row.StoreAsync(etag, Empty, prepare, null, null, default);
    }
}
