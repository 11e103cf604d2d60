using Polyjuice.Contracts;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Tests.Protocol;

/// <summary>
/// One test per rule of the commit protocol: an interleaving that only the rule keeps from ending in a violation.
/// </summary>
public class RuleTests
{
    [Fact]
    public void R1_A_transaction_whose_read_was_overtaken_does_not_commit_as_it_was() =>
        Scenarios.R1ReadOvertaken(ProtocolBreaks.None);

    [Fact]
    public void R1_An_update_is_built_on_the_last_version_or_not_at_all() =>
        Scenarios.R1UpdateOvertaken(ProtocolBreaks.None);

    [Fact]
    public void R1_A_write_is_not_ordered_below_a_read_timestamp() => Scenarios.R1ReadTimestamp(ProtocolBreaks.None);

    [Fact]
    public void R1a_Reading_the_first_of_two_writes_of_one_transaction_fails() =>
        Scenarios.R1aFirstOfTwoWrites(ProtocolBreaks.None);

    [Fact]
    public void R1b_A_prepare_names_the_one_epoch_that_served_the_accesses() =>
        Scenarios.R1bTwoEpochs(ProtocolBreaks.None);

    [Fact]
    public void R1c_A_duplicated_call_is_executed_once() => Scenarios.R1cDuplicateCall(ProtocolBreaks.None);

    [Fact]
    public void R1c_A_vote_that_arrives_after_all_is_forgotten_changes_nothing() =>
        Scenarios.R1cLateVote(ProtocolBreaks.None);

    [Fact]
    public void R2_A_clock_that_leads_by_too_much_is_refused() => Scenarios.R2ClockAhead(ProtocolBreaks.None);

    [Fact]
    public void R3_Who_read_an_undecided_version_commits_only_if_its_writer_does() =>
        Scenarios.R3ReadOfUndecided(ProtocolBreaks.None);

    [Fact]
    public void R4_Read_timestamps_stay_when_a_version_leaves() => Scenarios.R4ReadTimestampsStay(ProtocolBreaks.None);

    [Fact]
    public void V1_Only_votes_of_one_round_count_together() => Scenarios.V1VotesOfOneRound(ProtocolBreaks.None);

    [Fact]
    public void V6_A_reader_that_has_logged_an_earlier_round_needs_the_outcome() =>
        Scenarios.V6EarlierRoundIsLogged(ProtocolBreaks.None);

    [Fact]
    public void V1_V5_V6_A_lost_resolution_is_found_out_again() => Scenarios.V5ResolutionIsLost(ProtocolBreaks.None);

    [Fact]
    public void V2_Only_the_epoch_that_was_named_decides() => Scenarios.V2OneDecider(ProtocolBreaks.None);

    [Fact]
    public void V2_A_deposed_manager_gives_up_when_a_later_epoch_is_named() =>
        Scenarios.V2DeposedManagerGivesUp(ProtocolBreaks.None);

    [Fact]
    public void V3_After_a_prepare_only_the_manager_aborts() => Scenarios.V3NoUnilateralAbort(ProtocolBreaks.None);

    [Fact]
    public void V3_Nothing_aborts_while_the_commit_record_is_on_its_way() =>
        Scenarios.V3NoAbortWhileRecording(ProtocolBreaks.None);

    [Fact]
    public void V4_Unknown_is_made_true_before_it_is_said() => Scenarios.V4UnknownIsRemembered(ProtocolBreaks.None);

    [Fact]
    public void V4_The_abort_of_a_recorded_transaction_is_logged_before_it_is_told() =>
        Scenarios.V4AbortIsLoggedFirst(ProtocolBreaks.None);

    [Fact]
    public void V4_An_abort_inferred_from_unknown_is_logged_before_it_is_applied() =>
        Scenarios.V4UnknownIsLoggedFirst(ProtocolBreaks.None);

    [Fact]
    public void V5_A_commit_record_means_committed_only_if_its_dependencies_are() =>
        Scenarios.V5RecordedIsNotCommitted(ProtocolBreaks.None);

    [Fact]
    public void V5_A_recovered_commit_record_means_committed_only_if_its_dependencies_are() =>
        Scenarios.V5RecoveredIsNotCommitted(ProtocolBreaks.None);

    [Fact]
    public void V6_An_outcome_known_from_the_log_alone_is_kept_until_dependents_are_finally_confirmed() =>
        Scenarios.V6RecoveredOutcomeIsKept(ProtocolBreaks.None);

    [Fact]
    public void V6_An_outcome_is_not_forgotten_before_the_agent_has_told() =>
        Scenarios.V6AgentMustHaveTold(ProtocolBreaks.None);

    [Fact]
    public void V6_A_node_that_is_taken_for_dead_does_not_hear_that_nothing_is_known_of_what_has_committed() =>
        Scenarios.V6DeathIsInTheLog(ProtocolBreaks.None);

    [Fact]
    public void V6_Who_takes_a_log_over_hears_from_it_who_is_dead() =>
        Scenarios.V6DeathIsHeardFromTheLog(ProtocolBreaks.None);

    [Fact]
    public void V6_A_row_does_not_serve_a_node_whose_commits_it_has_dropped_because_that_is_dead() =>
        Scenarios.RowKeepsDeaths(ProtocolBreaks.None);

    [Fact]
    public void V6_Who_takes_a_row_over_hears_from_it_who_is_dead() => Scenarios.RowTellsOfDeaths(ProtocolBreaks.None);

    [Fact]
    public void V6_An_acknowledgement_follows_an_append() => Scenarios.V6AcknowledgementIsProven(ProtocolBreaks.None);

    [Fact]
    public void V2_What_was_staged_and_told_is_found_out_by_asking_all_participants() =>
        Scenarios.StagedIsFoundOutAgain(ProtocolBreaks.None);

    [Fact]
    public void V2_Who_answers_that_it_has_no_prepare_never_gets_one() =>
        Scenarios.StagedRefusalIsRemembered(ProtocolBreaks.None);

    [Fact]
    public void V2_An_epoch_before_the_one_that_served_a_transaction_does_not_answer_for_it() =>
        Scenarios.StagedIsNotAnsweredByEarlierEpochs(ProtocolBreaks.None);

    [Fact]
    public void V4_The_abort_of_what_is_staged_is_logged_before_it_is_told() =>
        Scenarios.StagedAbortIsLoggedFirst(ProtocolBreaks.None);

    [Fact]
    public void V5_What_is_staged_waits_for_its_dependencies() =>
        Scenarios.StagedWaitsForDependencies(ProtocolBreaks.None);

    [Fact]
    public void V5_So_does_who_finds_it_staged() => Scenarios.StagedIsFoundOutWithItsDependencies(ProtocolBreaks.None);

    [Fact]
    public void V6_What_is_staged_is_kept_until_its_commit_is_recorded() =>
        Scenarios.StagedIsKeptUntilRecorded(ProtocolBreaks.None);

    [Fact]
    public void V7_One_participant_commits_with_one_record() => Scenarios.V7OneParticipant(ProtocolBreaks.None);

    [Fact]
    public void L1_A_successor_fences_before_it_reads_the_log() => Scenarios.L1Fence(ProtocolBreaks.None);

    [Fact]
    public void L1_An_append_comes_behind_the_one_that_it_was_to_follow_or_not_at_all() =>
        Scenarios.L1BehindTheFence(ProtocolBreaks.None);

    [Fact]
    public void L2_What_was_ordered_and_not_logged_aborts_everywhere() =>
        Scenarios.L2UnloggedIsGone(ProtocolBreaks.None);

    [Fact]
    public void L2_What_was_prepared_is_still_there() => Scenarios.L2PreparedIsKept(ProtocolBreaks.None);

    [Fact]
    public void L3_A_failed_append_is_neither_done_nor_undone() =>
        Scenarios.L3FailedAppendMayBeThere(ProtocolBreaks.None);

    [Theory]
    [InlineData(AppendFate.FailBefore)]
    [InlineData(AppendFate.FailAfter)]
    [InlineData(AppendFate.FailThenAppear)]
    internal void L3_What_is_behind_a_failed_append_is_decided_after_it(AppendFate fate) =>
        Scenarios.L3AppendBehindAFailedOne(ProtocolBreaks.None, fate);

    [Fact]
    public void L4_A_snapshot_reads_nothing_above_the_ceiling() =>
        Scenarios.L4SnapshotBelowCeiling(ProtocolBreaks.None);

    [Fact]
    public void L4_A_read_is_not_ordered_above_the_ceiling() => Scenarios.L4ReadBelowCeiling(ProtocolBreaks.None);

    [Fact]
    public void L4_A_successor_writes_only_once_its_clock_has_passed_the_ceiling() =>
        Scenarios.L4CommitWait(ProtocolBreaks.None);

    [Fact]
    public void D1_A_snapshot_never_returns_an_undecided_version() =>
        Scenarios.D1UndecidedThatAborts(ProtocolBreaks.None);

    [Fact]
    public void D1_A_snapshot_never_skips_an_undecided_version() =>
        Scenarios.D1UndecidedThatCommits(ProtocolBreaks.None);

    [Fact]
    public void L1_A_rows_version_fences_it() => Scenarios.RowFence(ProtocolBreaks.None);

    [Fact]
    public void L3_A_store_that_failed_may_be_there() => Scenarios.RowStoreMayBeThere(ProtocolBreaks.None);

    [Fact]
    public void L3_A_rivals_batch_in_a_row_is_not_taken_for_the_own() =>
        Scenarios.RowBatchIdentity(ProtocolBreaks.None);

    [Fact]
    public void L3_Whatever_part_of_a_store_is_done_no_state_is_lost_that_did_not_abort() =>
        Scenarios.RowReusesNumbers(ProtocolBreaks.None);

    [Fact]
    public void L4_A_deposed_owner_of_a_row_orders_no_read_above_its_ceiling() =>
        Scenarios.RowReadBelowCeiling(ProtocolBreaks.None);

    [Fact]
    public void R1_What_a_held_back_prepare_is_the_base_of_is_stored_after_it() =>
        Scenarios.RowHoldsPrepareBack(ProtocolBreaks.None);

    [Fact]
    public void V4_A_manager_that_dies_with_its_prepare_held_back_has_aborted() =>
        Scenarios.RowManagerDiesBeforeItsOnlyStore(ProtocolBreaks.None);

    [Fact]
    public void V6_An_outcome_that_lingers_is_asked_for_again() =>
        Scenarios.RowDiesWhileOutcomesLinger(ProtocolBreaks.None);

    [Fact]
    public void V6_A_row_keeps_outcomes_that_somebody_may_ask_about() =>
        Scenarios.RowKeepsOutcomes(ProtocolBreaks.None);

    [Fact]
    public void I4_Whoever_needs_a_row_that_nobody_serves_wakes_it() => Scenarios.RowIsWoken(ProtocolBreaks.None);
}
