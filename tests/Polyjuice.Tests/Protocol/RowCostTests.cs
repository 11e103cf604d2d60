using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

/// <summary>
/// How many stores transactions take on rows: what is slower there than in a log, and no slower than that.
/// </summary>
public sealed class RowCostTests
{
    [Fact]
    public void A_transaction_on_one_row_that_was_idle_takes_one_store() =>
        Assert.Equal(1, StoresOf(Scenario.Updates("T", 4)));

    [Fact]
    public void A_transaction_on_two_rows_takes_four() => Assert.Equal(4, StoresOf(Scenario.Updates("T", 4, 5)));

    [Fact]
    public void Where_others_follow_it_takes_two()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Run(500_000);
        var stores = StoresOf(s, () =>
        {
            for (var i = 0; i < 20; i++) s.Commit(s.Agent, Scenario.Updates("T", 4, 5));
        });
        Assert.InRange(stores, 40, 44);
    }

    [Fact]
    public void A_chain_of_transactions_takes_a_few_stores_and_not_some_for_each()
    {
        const long Store = 10_000;
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Run(2_000_000);
        s.Rows.Profile = s.Rows.Profile with { DelayMin = Store, DelayMax = Store };
        var begin = s.Cluster.Loop.Now;
        TransactionRecord[] chain =
        [
            .. Enumerable.Range(0, 20).Select(_ => s.Start(s.Agent, Scenario.Updates("T", 4, 5)))
        ];
        s.Until(chain);
        Assert.All(chain, record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.InRange(s.Cluster.Loop.Now - begin, 2 * Store, 10 * Store);
    }

    /// <summary>What a row may drop, it drops when it is stored.</summary>
    [Fact]
    public void A_row_that_refuses_a_transaction_for_want_of_room_is_stored()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Commit(s.Agent, Scenario.Updates("T", 4));
        s.Run(2_000_000);
        s.FirstOwner(4).Engine.Options.LogBacklogBytesMax = -1;
        var stores = s.Rows.Stores;
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 4)));
        s.Until(record);
        Assert.Equal((Outcome.Aborted, AbortReason.LogOverloaded), (record.Outcome, record.Abort!.Reason));
        s.Run(10_000);
        Assert.Equal(stores + 1, s.Rows.Stores);
    }

    [Fact]
    public void A_row_that_is_to_be_at_rest_does_not_wait_for_confirms_that_linger_elsewhere()
    {
        const long Linger = 2_000_000;
        var s = new Scenario(
            ProtocolBreaks.None, configure: options => options.RowLingerMicroseconds = Linger, rows: true);
        s.Run(2_000_000);
        s.Commit(s.Agent, Scenario.Updates("T", 4, 5));
        s.Run(50_000);
        var manager = s.Rows.Content(4).Metadata.CommitRecords.Values.Any(record => record.WriteParticipants.Count > 0)
            ? 4
            : 5;
        var engine = s.FirstOwner(manager).Engine;
        var key = s.Cluster.Accounts.KeyOf(s.Cluster.Accounts.AccountOf(manager));
        Assert.False(engine.IsRowAtRest(key));
        var begin = s.Cluster.Loop.Now;
        s.Until(() => engine.IsRowAtRest(key), "rest");
        Assert.InRange(s.Cluster.Loop.Now - begin, 0, Linger / 2);
        Assert.DoesNotContain(
            s.Rows.Content(manager).Metadata.CommitRecords.Values, record => record.WriteParticipants.Count > 0);
    }

    [Fact]
    public void A_row_that_is_taken_over_for_a_transaction_takes_one_store()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Run(2_000_000);
        var before = s.Rows.Stores;
        s.TakeOver(4, s.FirstOwner(2));
        Assert.Equal(0, s.Rows.Stores - before);
        s.Commit(s.Agent, Scenario.Updates("T", 4));
        Assert.Equal(1, s.Rows.Stores - before);
        s.Judge();
    }

    [Fact]
    public void A_row_in_which_something_is_undecided_is_fenced_before_it_is_served()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Run(2_000_000);
        var votes = s.Wire.Hold(Scenario.Of(MessageKind.Vote));
        s.Start(s.Agent, Scenario.Updates("T", 4, 5));
        s.Until(() => votes.Taken.Count > 0, "the participant has voted");
        var participant = s.Rows.Content(4).PendingStates.Count > 0 ? 4 : 5;
        var before = s.Rows.Stores;
        s.TakeOver(participant, s.Spare);
        Assert.Equal(1, s.Rows.Stores - before);
        votes.Release();
        s.Judge();
    }

    /// <summary>The manager's row has hardly any room for the record, so they are hurried: behind the answer.</summary>
    [Fact]
    public void Confirms_come_after_the_answer_even_where_they_are_hurried()
    {
        var s = new Scenario(
            ProtocolBreaks.None, configure: options => options.RowMetadataBytesMax = 1 << 10, rows: true);
        s.Run(2_000_000);
        var before = s.Rows.Stores;
        s.Commit(s.Agent, Scenario.Updates("T", 3, 4, 5));
        s.Run(5_000);
        Assert.Equal(3, s.Rows.Stores - before);
        s.Run(1_500_000);
        foreach (var row in new[] { 3, 4, 5 })
        {
            var content = s.Rows.Content(row);
            Assert.Empty(content.PendingStates);
            Assert.DoesNotContain(content.Metadata.CommitRecords.Values, record => record.WriteParticipants.Count > 0);
        }

        s.Judge();
    }

    [Fact]
    public void The_least_busy_row_decides()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.TakeOver(5, s.FirstOwner(4));
        var owner = s.FirstOwner(4);
        s.Run(2_000_000);
        for (var i = 0; i < 5; i++) s.Commit(owner, Scenario.Updates("Busy", 4));
        var votes = s.Wire.Watch(Scenario.Of(MessageKind.PrepareReply));
        s.Commit(owner, Scenario.Updates("T", 4, 5));
        s.Run(5_000);
        Assert.Single(s.Rows.Content(5).Metadata.CommitRecords.Values, record => record.WriteParticipants.Count > 0);
        Assert.DoesNotContain(
            s.Rows.Content(4).Metadata.CommitRecords.Values, record => record.WriteParticipants.Count > 0);
        Assert.Empty(votes.Taken);
    }

    /// <summary>A thousand rows that all named each other would be a million names.</summary>
    [Fact]
    public void Only_the_managers_row_names_all_who_take_part()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        var votes = s.Wire.Hold(Scenario.Of(MessageKind.Vote));
        var record = s.Start(s.Agent, Scenario.Updates("T", 3, 4, 5));
        s.Until(() => votes.Taken.Count == 2, "both who are not the manager have voted");
        var prepared = new[]
        {
            3, 4, 5
        }.SelectMany(row => s.Cluster.TapOf(row).Image(s.Rows.Content(row)).Prepares).ToArray();
        Assert.Equal(2, prepared.Length);
        Assert.All(prepared, prepare => Assert.Empty(prepare.Parts));
        Assert.Single(prepared.Select(prepare => prepare.Manager).Distinct());

        votes.Release();
        s.Until(record);
        var records = new[]
        {
            3, 4, 5
        }.SelectMany(row => s.Cluster.TapOf(row).Image(s.Rows.Content(row)).Commits).ToArray();
        Assert.Contains(records, commit => commit.Parts.Length == 3);
        s.Judge();
    }

    [Fact]
    public void A_row_beside_a_log_that_decides_takes_two() => Assert.Equal(2, StoresOf(Scenario.Updates("T", 4, 1)));

    [Fact]
    public void A_read_of_an_idle_row_takes_one_store_and_the_next_ones_none()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Run(500_000);
        var before = s.Rows.Stores;
        s.Commit(s.Agent, new TransactionSpec("Look", Step.Read(4)));
        Assert.Equal(1, s.Rows.Stores - before);
        s.Commit(s.Agent, new TransactionSpec("Look", Step.Read(4)));
        s.Commit(s.OtherAgent, new TransactionSpec("Look", Step.Read(4), IsReadOnly: true));
        Assert.Equal(1, s.Rows.Stores - before);
    }

    [Fact]
    public void Transactions_on_a_row_share_a_store_while_one_is_under_way()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Rows.Profile = s.Rows.Profile with { DelayMin = 5_000, DelayMax = 5_000 };
        var stores = StoresOf(s, () =>
        {
            for (var i = 0; i < 20; i++) s.Start(s.Agent, Scenario.Updates("T", 4));
            s.Idle();
        });
        Assert.InRange(stores, 1, 10);
        Assert.Equal(22, s.Rows.Content(4).CommittedState!.Tokens.Count);
    }

    private static long StoresOf(TransactionSpec spec)
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Run(500_000);
        return StoresOf(s, () => s.Commit(s.Agent, spec));
    }

    private static long StoresOf(Scenario s, Action run)
    {
        var before = s.Rows.Stores;
        run();
        s.Idle();
        return s.Rows.Stores - before;
    }
}
