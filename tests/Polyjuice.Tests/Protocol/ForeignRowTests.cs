using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;

namespace Polyjuice.Tests.Protocol;

/// <summary>
/// Rows that another engine has left: what was undecided there
/// is resolved, and what it needs not know stays out of its way.
/// </summary>
public sealed class ForeignRowTests
{
    private static readonly Guid One = new("7f3d2c1b-5a69-4788-96a5-b4c3d2e1f001");
    private static readonly Guid Two = new("0e5f6a7b-8c9d-4eaf-b0c1-d2e3f4a5b6c7");
    private static readonly DateTime Time = DateTime.UnixEpoch.AddMicroseconds(
        SimulatedCluster.Epoch - 5_000_000).AddTicks(
        7);

    [Fact]
    public void What_another_engine_had_prepared_is_committed_if_its_manager_has_the_record()
    {
        var s = Start(cluster =>
        {
            cluster.Rows!.Put(4, Row(cluster, 3, 100, Pending(cluster, 4, One, 150, manager: 5)));
            cluster.Rows.Put(
                5,
                Row(cluster, 7, 100) with
                {
                    Metadata = Records((One, [Participant(cluster, 4), Participant(cluster, 5)]))
                });
        });
        s.Idle();
        Assert.Equal((4, 150), (s.Rows.Content(4).CommittedSequenceId >= 4 ? 4 : 0, Balance(s, 4)));
        AssertAtRest(s, 4);
        AssertAtRest(s, 5);
    }

    [Fact]
    public void An_agent_of_another_engine_that_is_taken_for_dead_needs_no_word_of_that_in_a_row()
    {
        var gone = RowFormat.IdOf(One).Node;
        var s = Start(cluster =>
        {
            cluster.Rows!.Put(4, Row(cluster, 3, 100, Pending(cluster, 4, One, 150, manager: 5)));
            cluster.Rows.Put(
                5,
                Row(cluster, 7, 100) with
                {
                    Metadata = Records((One, [Participant(cluster, 4), Participant(cluster, 5)]))
                });
            cluster.Loop.Queue(0, EventKind.Directory, 0, () =>
            {
                foreach (var node in cluster.Alive) node.Turn(() => node.HearOfDeath(gone));
            });
        });
        s.Idle();
        Assert.Equal(150, Balance(s, 4));
        AssertAtRest(s, 4);
        AssertAtRest(s, 5);
    }

    [Fact]
    public void What_no_manager_knows_is_aborted_and_what_was_prepared_on_top_of_it_too()
    {
        var s = Start(
            cluster => cluster.Rows!.Put(
                4,
                Row(
                    cluster,
                    3,
                    100,
                    Pending(cluster, 4, One, 150, manager: 5),
                    Pending(cluster, 5, Two, 175, manager: 3))));
        s.Idle();
        Assert.Equal(100, Balance(s, 4));
        AssertAtRest(s, 4);
    }

    [Fact]
    public void A_commit_record_is_kept_until_all_who_wrote_have_it()
    {
        Scenario? scenario = null;
        scenario = Start(cluster =>
        {
            cluster.Rows!.Put(3, Row(cluster, 1, 100, Pending(cluster, 2, One, 110, manager: 5)));
            cluster.Rows.Put(4, Row(cluster, 3, 100, Pending(cluster, 4, One, 150, manager: 5)));
            cluster.Rows.Put(
                5,
                Row(cluster, 7, 100) with
                {
                    Metadata = Records(
                        (One, [Participant(cluster, 3), Participant(cluster, 4), Participant(cluster, 5)]))
                });
            cluster.Rows.Written = (request, _, after) =>
            {
                if (request.Row != 5) return;
                var isForgotten = !after.Metadata.CommitRecords.ContainsKey(One);
                if (isForgotten)
                    Assert.True(
                        cluster.Rows.Content(3).CommittedSequenceId >= 2
                            && cluster.Rows.Content(4).CommittedSequenceId >= 4);
            };
        });
        scenario.Idle();
        Assert.Equal((110, 150), (Balance(scenario, 3), Balance(scenario, 4)));
        AssertAtRest(scenario, 5);
    }

    [Fact]
    public void Nothing_is_ordered_at_or_below_the_time_stamp_that_was_left()
    {
        var s = Start(
            cluster => cluster.Rows!.Put(
                4,
                Row(cluster, 3, 100) with
                {
                    Metadata = Records() with
                    {
                        TimeStamp = DateTime.UnixEpoch.AddMicroseconds(SimulatedCluster.Epoch + 400_000)
                    }
                }));
        Assert.True(s.Cluster.Loop.Now > 400_000, "the first update of the row waits until its time stamp has passed");
        s.Commit(s.Agent, Scenario.Updates("T", 4));
    }

    [Fact]
    public void A_record_of_nobody_else_goes_with_the_next_store()
    {
        var s = Start(
            cluster => cluster.Rows!.Put(
                4, Row(cluster, 3, 100) with { Metadata = Records((One, [Participant(cluster, 4)]), (Two, [])) }));
        s.Commit(s.Agent, Scenario.Updates("T", 4));
        s.Idle();
        AssertAtRest(s, 4);
    }

    private static Scenario Start(Action<SimulatedCluster> prepare) =>
        new(ProtocolBreaks.None, rows: true, prepare: prepare);

    private static RowContent<Account> Row(
        SimulatedCluster cluster, long committed, long balance, params RowPendingState<Account>[] pending) =>
        new(null, new Account { Balance = balance }, committed, Records(), pending);

    private static RowMetadata Records(params (Guid Id, RowParticipant[] Participants)[] records) =>
        new(Time, records.ToDictionary(record => record.Id, record => new RowCommitRecord(Time, record.Participants)));

    private static RowPendingState<Account> Pending(
        SimulatedCluster cluster, long sequence, Guid id, long balance, int manager) =>
        new(sequence, id.ToString(), Time, Participant(cluster, manager), new Account { Balance = balance });

    private static RowParticipant Participant(SimulatedCluster cluster, int account) =>
        new(cluster.Accounts.KeyOf(account).State, cluster.Accounts.KeyOf(account).Grain, 3);

    /// <summary>Without the deposits of this test's own transactions.</summary>
    private static long Balance(Scenario s, int account)
    {
        var content = s.Rows.Content(account);
        return content.CommittedState!.Balance - s.Cluster.Records.SelectMany(r => r.LastRun?.Observations ?? [])
            .Where(o => o.Account == account && o.IsUpdate).Sum(o => o.Delta);
    }

    private static void AssertAtRest(Scenario s, int row)
    {
        var content = s.Rows.Content(row);
        Assert.Empty(content.PendingStates);
        Assert.DoesNotContain(One, content.Metadata.CommitRecords.Keys);
        Assert.DoesNotContain(Two, content.Metadata.CommitRecords.Keys);
        Assert.All(content.Metadata.CommitRecords.Values, record => Assert.Empty(record.WriteParticipants));
    }
}
