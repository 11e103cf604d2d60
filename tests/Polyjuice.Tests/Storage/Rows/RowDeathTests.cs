using Polyjuice.Storage;

namespace Polyjuice.Tests.Storage.Rows;

/// <summary>
/// V6: a row says of which dead nodes it has dropped commits, as long as one of them might come back.
/// </summary>
public sealed class RowDeathTests
{
    private const int DayInMilliseconds = 86_400_000;

    private readonly RowRig _rig = new();

    [Fact]
    public async Task A_commit_that_was_dropped_because_its_agent_is_dead_leaves_the_word_of_that_death()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1));
        await _rig.Append(RowRig.Done(LogRecords.NoneLive), _rig.Prepare(2, below: 1));
        var image = await _rig.Recover();
        Assert.Null(image.OutcomeOf(RowRig.Id(1)));
        Assert.Equal(LogRecords.NoneLive, image.OldestLive[RowRig.Agent]);
    }

    [Fact]
    public async Task It_stays_with_the_next_owner_and_says_so_once()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1), RowRig.Done(LogRecords.NoneLive));
        await _rig.Append(_rig.Prepare(2, below: 1));
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(3, below: 2));
        Assert.Equal(LogRecords.NoneLive, (await _rig.Recover()).OldestLive[RowRig.Agent]);
        Assert.Single((await _rig.Content()).Metadata.CommitRecords.Keys, RowFormat.PackDeath(RowRig.Agent));
    }

    [Fact]
    public async Task An_agent_that_has_told_its_caller_leaves_none()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1));
        await _rig.Append(RowRig.Done(2), _rig.Prepare(2, below: 1));
        await _rig.Append(RowRig.Done(LogRecords.NoneLive));
        Assert.False((await _rig.Recover()).OldestLive.ContainsKey(RowRig.Agent));
    }

    [Fact]
    public async Task Nor_does_one_whose_transaction_has_aborted()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0, manager: 4));
        await _rig.Append(RowRig.Outcome(1, committed: false), RowRig.Done(LogRecords.NoneLive));
        await _rig.Append(_rig.Prepare(2, below: 0));
        Assert.False((await _rig.Recover()).OldestLive.ContainsKey(RowRig.Agent));
    }

    [Fact]
    public async Task After_a_day_it_goes()
    {
        await _rig.Fence();
        await _rig.Append(_rig.Prepare(1, below: 0), _rig.Commit(1), RowRig.Done(LogRecords.NoneLive));
        _rig.Clock += 1_000L * DayInMilliseconds;
        await _rig.Append(_rig.Prepare(DayInMilliseconds - 1, below: 1));
        Assert.True((await _rig.Recover()).OldestLive.ContainsKey(RowRig.Agent));
        await _rig.Append(_rig.Prepare(DayInMilliseconds + 10, below: DayInMilliseconds - 1));
        Assert.False((await _rig.Recover()).OldestLive.ContainsKey(RowRig.Agent));
    }
}
