using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Tests.Reconnaissance;

/// <summary>The rule behind "auto".</summary>
public class TypeLearningTests
{
    private const int Type = 3;
    private readonly TypeLearning _learning = new();
    private long _now;

    [Fact]
    public void A_type_that_nobody_has_seen_runs_at_once() => Assert.Equal(PolicyAdmission.Run, Choose());

    [Fact]
    public void Many_conflicts_have_it_try_to_reserve_and_few_do_not()
    {
        Attempts(5_000, i => i % 10 == 0);
        Assert.Equal(PolicyAdmission.Run, Choose());
        UntilItReserves();
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type + 1, _now));
    }

    [Fact]
    public void It_reserves_while_more_commit_and_reservations_have_to_wait()
    {
        UntilItReserves();
        for (var i = 0; i < 10_000; i++) Reserved(waits: i % 5 == 0, differs: false);
        Assert.Equal(PolicyAdmission.DryRunReserve, Choose());
        for (var i = 0; i < 200; i++) Reserved(waits: false, differs: false);
        Assert.Equal(PolicyAdmission.Run, Choose());
    }

    [Fact]
    public void It_does_not_reserve_for_long_where_fewer_commit()
    {
        UntilItReserves();
        for (var i = 0; i < 2_000; i++) Reserved(waits: true, differs: false, microseconds: 1_000);
        Assert.Equal(PolicyAdmission.Run, Choose());
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
    public void Cold_grains_are_loaded_by_a_dry_run_until_they_are_warm()
    {
        for (var i = 0; i < 30; i++) Attempt(isConflict: false, hasLoaded: true);
        Assert.Equal(PolicyAdmission.DryRun, Choose());
        for (var i = 0; i < 100; i++)
        {
            _learning.NoteDryRun(Type, hasLoaded: false);
            Attempt(isConflict: false);
        }

        Assert.Equal(PolicyAdmission.Run, Choose());
    }

    private PolicyAdmission Choose() => _learning.Choose(Type, _now);

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

    private void Attempt(bool isConflict, int accesses = 3, bool hasLoaded = false) =>
        _learning.NoteAttempt(Type, isConflict ? AbortReason.Validation : AbortReason.None, accesses, hasLoaded, isReserved: false, _now += 100);

    private void Reserved(bool waits, bool differs, long microseconds = 50)
    {
        Choose();
        _learning.NoteReservation(Type, waits);
        _learning.NoteAccessSet(Type, differs);
        _learning.NoteAttempt(Type, AbortReason.None, accesses: 3, hasLoaded: false, isReserved: true, _now += microseconds);
    }
}
