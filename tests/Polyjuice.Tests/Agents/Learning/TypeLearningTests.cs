using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;

namespace Polyjuice.Tests.Agents.Learning;

/// <summary>The rule behind "auto".</summary>
public class TypeLearningTests
{
    private const int Type = 3;
    private const int Open = 32;
    private readonly TypeLearning _learning = new();
    private long _now;
    private long _open;
    private bool _handsOn;
    private bool _runsAtOnce;

    [Fact]
    public void A_type_that_nobody_has_seen_runs_at_once() => Assert.Equal(PolicyAdmission.Run, Choose());

    [Fact]
    public void Many_conflicts_have_it_try_to_reserve_and_few_do_not()
    {
        Attempts(5_000, i => i % 10 == 0);
        Assert.Equal(PolicyAdmission.Run, Choose());
        UntilItReserves();
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type + 1, _now, handsOn: false));
    }

    [Fact]
    public void It_reserves_while_transactions_take_less_time_that_way()
    {
        UntilItReserves();
        for (var i = 0; i < 20_000; i++) Either(runs: 200, reserves: 100, waits: true);
        Assert.Equal(PolicyAdmission.DryRunReserve, Choose());
    }

    [Fact]
    public void It_does_not_reserve_for_long_where_they_take_more()
    {
        UntilItReserves();
        for (var i = 0; i < 20_000; i++) Either(runs: 100, reserves: 300, waits: true);
        Assert.Equal(PolicyAdmission.Run, Choose());
    }

    [Fact]
    public void Where_hardly_a_reservation_has_to_wait_any_longer_it_tries_to_run_at_once()
    {
        UntilItReserves();
        for (var i = 0; i < 100_000; i++) Either(runs: 200, reserves: 100, waits: true);
        Assert.Equal(PolicyAdmission.DryRunReserve, Choose());
        var before = _now;
        while (Choose() == PolicyAdmission.DryRunReserve && _now - before < 1_000_000)
            Reserved(waits: false, differs: false, microseconds: 100);
        Assert.InRange(_now - before, 1, 100_000);
    }

    [Fact]
    public void What_is_run_dry_in_any_case_reserves_as_soon_as_it_conflicts()
    {
        for (var i = 0; i < 100; i++) Attempt(isConflict: i % 10 == 0, hasLoaded: true);
        Assert.Equal(PolicyAdmission.DryRun, Choose());
        for (var i = 0; i < 20; i++)
        {
            Attempt(isConflict: true, hasLoaded: true);
            Choose();
        }

        Assert.Equal(PolicyAdmission.DryRunReserve, Choose());
    }

    [Fact]
    public void What_another_node_decides_holds_while_it_is_heard_of()
    {
        for (var i = 0; i < 100; i++) Attempt(isConflict: false);
        _learning.Follow(Type, AdmissionArm.Reserve, _now);
        Assert.Equal(PolicyAdmission.DryRunReserve, Choose());
        Assert.Equal(AdmissionArm.Reserve, _learning.ArmOf(Type, _now));
        _learning.Follow(Type, AdmissionArm.HandOn, _now);
        for (var i = 0; i < 1_000; i++)
        {
            Attempt(isConflict: true);
            Assert.Equal(PolicyAdmission.Run, Choose());
            _learning.Follow(Type, AdmissionArm.HandOn, _now);
        }

        _now += TypeLearning.FollowMicroseconds;
        UntilItReserves();
    }

    [Fact]
    public void What_another_node_had_decided_goes_on_when_that_is_not_heard_of_any_more()
    {
        for (var i = 0; i < 100; i++) Attempt(isConflict: false);
        _learning.Follow(Type, AdmissionArm.Reserve, _now);
        Reserved(waits: true, differs: false);
        _now += TypeLearning.FollowMicroseconds;
        Reserved(waits: true, differs: false);
        Assert.Equal(PolicyAdmission.DryRunReserve, Choose());
    }

    [Fact]
    public void It_tells_what_is_new_and_nothing_twice()
    {
        Assert.False(_learning.TakeNews(Type, out _));
        Attempts(10, i => i % 2 == 0);
        Assert.True(_learning.TakeNews(Type, out var news));
        Assert.Equal((5, 900 * Open, false), (news.Commits, news.OpenTime, news.RunsDryInConflict));
        Assert.False(_learning.TakeNews(Type, out _));
        Attempts(200, _ => true);
        Assert.True(_learning.TakeNews(Type, out news));
        Assert.True(news.HasConflicts);
    }

    [Fact]
    public void What_others_tell_counts_as_if_it_had_happened_here()
    {
        var news = new TypeNews(Commits: 10, OpenTime: 10 * 200 * Open, HasConflicts: true, RunsDryInConflict: false);
        var reserves = false;
        for (var i = 0; i < 1_000 && !reserves; i++) reserves = Reserves(Type, news, _now += 2_000);
        Assert.True(reserves);
        for (var i = 0; i < 1_000; i++)
            reserves = Reserves(
                Type,
                news with { OpenTime = 10 * (reserves ? 600 : 200) * Open, HasConflicts = false },
                _now += 2_000);
        Assert.False(reserves);
        Assert.True(Reserves(Type + 1, news with { RunsDryInConflict = true }, _now));

        bool Reserves(int type, TypeNews what, long now) =>
            _learning.NoteElsewhere(type, what, now, handsOn: false) == AdmissionArm.Reserve;
    }

    [Fact]
    public void Where_rows_expose_what_is_written_it_tries_to_keep_that_private_and_does_so_while_it_takes_less_time()
    {
        _handsOn = true;
        for (var i = 0; i < 20_000; i++) Either(runs: 300, reserves: 200, waits: true, keeps: 100);
        Assert.Equal(AdmissionArm.KeepWrites, _learning.ArmOf(Type, _now));
        Assert.Equal(PolicyAdmission.Run, Choose());
    }

    [Theory]
    [InlineData(3)]
    [InlineData(1_000)]
    public void What_must_not_be_run_dry_keeps_its_writes_private_while_it_takes_less_time_and_never_reserves(
        int accesses)
    {
        (_handsOn, _runsAtOnce) = (true, true);
        for (var i = 0; i < 20_000; i++)
        {
            Either(runs: 300, reserves: 50, waits: true, keeps: 100, accesses);
            Assert.NotEqual(AdmissionArm.Reserve, _learning.ArmOf(Type, _now));
        }

        Assert.Equal(AdmissionArm.KeepWrites, _learning.ArmOf(Type, _now));
        for (var i = 0; i < 20_000; i++) Either(runs: 100, reserves: 50, waits: true, keeps: 400, accesses);
        Assert.Equal(AdmissionArm.HandOn, _learning.ArmOf(Type, _now));
    }

    [Fact]
    public void What_must_not_be_run_dry_and_is_told_to_reserve_keeps_its_writes_private()
    {
        (_handsOn, _runsAtOnce) = (true, true);
        for (var i = 0; i < 100; i++) Attempt(isConflict: false);
        _learning.Follow(Type, AdmissionArm.Reserve, _now);
        Assert.Equal(AdmissionArm.KeepWrites, _learning.ArmOf(Type, _now));
    }

    [Fact]
    public void The_node_that_decides_does_not_have_others_reserve_what_must_not_be_run_dry()
    {
        var arm = AdmissionArm.HandOn;
        for (var i = 0; i < 2_000; i++)
        {
            var time = arm == AdmissionArm.KeepWrites ? 100 : arm == AdmissionArm.Reserve ? 50 : 300;
            arm = _learning.NoteElsewhere(
                Type,
                new TypeNews(
                    Commits: 10,
                    OpenTime: 10 * time * Open,
                    HasConflicts: true,
                    RunsDryInConflict: false,
                    KeepsAtMost: true),
                _now += 2_000,
                handsOn: true);
            Assert.NotEqual(AdmissionArm.Reserve, arm);
        }

        Assert.Equal(AdmissionArm.KeepWrites, arm);
    }

    [Fact]
    public void To_keep_writes_private_is_tried_neither_without_conflicts_nor_where_no_row_exposes_them()
    {
        Attempts(5_000, i => i % 10 == 0);
        for (var i = 0; i < 20_000; i++)
        {
            Either(runs: 300, reserves: 400, waits: true, keeps: 100);
            Assert.NotEqual(AdmissionArm.KeepWrites, _learning.ArmOf(Type, _now));
        }
    }

    [Fact]
    public void Whoever_is_told_to_keep_writes_private_does_so_and_goes_on_with_it_when_nothing_is_heard_any_more()
    {
        _handsOn = true;
        for (var i = 0; i < 100; i++) Attempt(isConflict: false);
        _learning.Follow(Type, AdmissionArm.KeepWrites, _now);
        Attempt(isConflict: false);
        Assert.Equal(AdmissionArm.KeepWrites, _learning.ArmOf(Type, _now));
        Assert.Equal(PolicyAdmission.Run, Choose());
        _now += TypeLearning.FollowMicroseconds;
        Attempt(isConflict: false);
        Assert.Equal(AdmissionArm.KeepWrites, _learning.ArmOf(Type, _now));
    }

    [Fact]
    public void The_node_that_decides_has_others_keep_writes_private_where_that_takes_less_time()
    {
        var arm = AdmissionArm.HandOn;
        for (var i = 0; i < 2_000; i++)
        {
            var time = arm == AdmissionArm.KeepWrites ? 100 : 300;
            arm = _learning.NoteElsewhere(
                Type,
                new TypeNews(Commits: 10, OpenTime: 10 * time * Open, HasConflicts: true, RunsDryInConflict: false),
                _now += 2_000,
                handsOn: true);
        }

        Assert.Equal(AdmissionArm.KeepWrites, arm);
    }

    [Fact]
    public void It_gives_up_where_sets_do_not_hold_and_tries_again_much_later()
    {
        UntilItReserves();
        for (var i = 0; i < 100; i++) Reserved(waits: true, differs: true);
        Assert.Equal(PolicyAdmission.Run, Choose());
        Assert.True(_learning.AccessSetMisses(Type) > 0.9);
        Attempts(100, i => i % 2 == 0);
        Assert.Equal(PolicyAdmission.Run, Choose());
        Attempts(500, _ => true);
        UntilItReserves();
    }

    [Fact]
    public void How_many_kept_to_their_sets_begins_anew_with_one_that_did_not()
    {
        for (var i = 0; i < 5; i++) _learning.NoteAccessSet(Type, differs: false);
        Assert.Equal(5, _learning.KeptInARow(Type));
        _learning.NoteAccessSet(Type, differs: true);
        Assert.Equal(0, _learning.KeptInARow(Type));
        _learning.NoteAccessSet(Type, differs: false);
        _learning.NoteBroken(Type);
        Assert.Equal(0, _learning.KeptInARow(Type));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1_000)]
    public void One_state_has_no_order_to_keep_and_a_huge_body_is_not_run_twice(int accesses)
    {
        for (var i = 0; i < 100; i++) Attempt(isConflict: true, accesses);
        Assert.Equal(PolicyAdmission.Run, Choose());
    }

    [Fact]
    public void Cold_grains_are_loaded_by_a_dry_run_where_others_wait_for_them_until_they_are_warm()
    {
        for (var i = 0; i < 100; i++) Attempt(isConflict: false, hasLoaded: true);
        Assert.Equal(PolicyAdmission.Run, Choose());
        for (var i = 0; i < 100; i++) Attempt(isConflict: i % 10 == 0, hasLoaded: true);
        Assert.Equal(PolicyAdmission.DryRun, Choose());
        for (var i = 0; i < 100; i++)
        {
            _learning.NoteLoading(Type, hasLoaded: false);
            Attempt(isConflict: false);
        }

        Assert.Equal(PolicyAdmission.Run, Choose());
    }

    private PolicyAdmission Choose()
    {
        if (!_runsAtOnce) return _learning.Choose(Type, _now, _handsOn);
        _learning.ChooseAtOnce(Type, _handsOn);
        return PolicyAdmission.Run;
    }

    private void UntilItReserves()
    {
        for (var i = 0; i < 10_000 && Choose() != PolicyAdmission.DryRunReserve; i++) Attempt(isConflict: i % 2 == 0);
        Assert.Equal(PolicyAdmission.DryRunReserve, Choose());
    }

    private void Attempts(int count, Func<int, bool> isConflict)
    {
        for (var i = 0; i < count; i++)
        {
            Choose();
            Attempt(isConflict(i));
        }
    }

    private void Attempt(bool isConflict, int accesses = 3, bool hasLoaded = false)
    {
        Choose();
        Pass(100);
        _learning.NoteAttempt(
            Type, isConflict ? AbortReason.Validation : AbortReason.None, accesses, hasLoaded, isReserved: false,
            _open, _now);
    }

    private void Reserved(bool waits, bool differs, long microseconds = 50)
    {
        Choose();
        _learning.NoteReservation(Type, waits);
        _learning.NoteAccessSet(Type, differs);
        Pass(microseconds);
        _learning.NoteAttempt(Type, AbortReason.None, accesses: 3, hasLoaded: false, isReserved: true, _open, _now);
    }

    /// <summary>One commits after so long, as the type is let in.</summary>
    private void Either(long runs, long reserves, bool waits, long keeps = 0, int accesses = 3)
    {
        if (Choose() == PolicyAdmission.DryRunReserve)
        {
            Reserved(waits, differs: false, reserves);
            return;
        }

        // Half of its attempts fail.
        Pass((_learning.ArmOf(Type, _now) == AdmissionArm.KeepWrites ? keeps : runs) - 100);
        Attempt(isConflict: true, accesses);
        Attempt(isConflict: false, accesses);
    }

    private void Pass(long microseconds)
    {
        _now += microseconds;
        _open += Open * microseconds;
    }
}
