using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Tests.Reconnaissance;

/// <summary>The rule behind "auto".</summary>
public class TypeLearningTests
{
    private const int Type = 3;
    private readonly TypeLearning _learning = new();

    [Fact]
    public void A_type_that_nobody_has_seen_runs_at_once() => Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type));

    [Fact]
    public void Many_conflicts_make_it_reserve_and_few_do_not()
    {
        Attempts(100, i => i % 10 == 0);
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type));
        Attempts(100, i => i % 2 == 0);
        Assert.Equal(PolicyAdmission.DryRunReserve, _learning.Choose(Type));
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type + 1));
    }

    [Fact]
    public void It_reserves_while_reservations_have_to_wait()
    {
        Attempts(100, _ => true);
        Assert.Equal(PolicyAdmission.DryRunReserve, _learning.Choose(Type));
        for (var i = 0; i < 500; i++) Reserved(waits: i % 5 == 0, differs: false);
        Assert.Equal(PolicyAdmission.DryRunReserve, _learning.Choose(Type));
        for (var i = 0; i < 200; i++) Reserved(waits: false, differs: false);
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type));
    }

    [Fact]
    public void It_gives_up_where_sets_do_not_hold_and_tries_again_much_later()
    {
        Attempts(100, _ => true);
        Assert.Equal(PolicyAdmission.DryRunReserve, _learning.Choose(Type));
        for (var i = 0; i < 100; i++) Reserved(waits: true, differs: true);
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type));
        Assert.True(_learning.AccessSetMisses(Type) > 0.9);
        Attempts(100, _ => true);
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type));
        Attempts(500, _ => true);
        Assert.Equal(PolicyAdmission.DryRunReserve, _learning.Choose(Type));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1_000)]
    public void One_state_has_no_order_to_keep_and_a_huge_body_is_not_run_twice(int accesses)
    {
        for (var i = 0; i < 100; i++) _learning.NoteAttempt(Type, isConflict: true, accesses, hasLoaded: false, isReserved: false);
        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type));
    }

    [Fact]
    public void Cold_grains_are_loaded_by_a_dry_run_until_they_are_warm()
    {
        for (var i = 0; i < 30; i++) _learning.NoteAttempt(Type, isConflict: false, 3, hasLoaded: true, isReserved: false);
        Assert.Equal(PolicyAdmission.DryRun, _learning.Choose(Type));
        for (var i = 0; i < 100; i++)
        {
            _learning.NoteDryRun(Type, hasLoaded: false);
            _learning.NoteAttempt(Type, isConflict: false, 3, hasLoaded: false, isReserved: false);
        }

        Assert.Equal(PolicyAdmission.Run, _learning.Choose(Type));
    }

    private void Attempts(int count, Func<int, bool> isConflict)
    {
        for (var i = 0; i < count; i++) _learning.NoteAttempt(Type, isConflict(i), accesses: 3, hasLoaded: false, isReserved: false);
    }

    private void Reserved(bool waits, bool differs)
    {
        _learning.NoteReservation(Type, waits);
        _learning.NoteAccessSet(Type, differs);
        _learning.NoteAttempt(Type, isConflict: false, accesses: 3, hasLoaded: false, isReserved: true);
    }
}
