using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Reservations;

/// <summary>What an agent knows of what its attempt holds.</summary>
public class ReservingTests
{
    private readonly Reserving _reserving = new(
        ReservationPlan.Of(
            "T",
            [
                .. Enumerable.Range(0, 4)
                .Select(i => new PlannedReservation(i, new ParticipantKey($"C/{i}", "s", "C"), true, 1))
            ],
            new ReservationOrder([new(1), new(1), new(2), new(2)]))!,
        startedAt: 7);

    [Fact]
    public void It_is_over_when_one_silo_says_that_all_is_held()
    {
        _reserving.Held(new HeldPart(0, 4, 0, Waits: 0));
        Assert.Equal((true, false, false), (_reserving.IsOver, _reserving.HasWaited, _reserving.HasGap));
    }

    [Fact]
    public void It_is_over_when_the_last_part_is_held_in_whatever_order_and_however_often_parts_are_told()
    {
        _reserving.Held(new HeldPart(2, 4, 0, Waits: 0));
        _reserving.Held(new HeldPart(2, 4, 0, Waits: 0));
        _reserving.Held(new HeldPart(0, 1, 0, Waits: 1));
        Assert.False(_reserving.IsOver);
        _reserving.Held(new HeldPart(0, 2, 0, Waits: 0));
        Assert.Equal((true, true), (_reserving.IsOver, _reserving.HasWaited));
    }

    [Fact]
    public void What_has_given_way_counts_as_held_only_when_that_is_said_by_somebody_who_knows()
    {
        _reserving.Held(new HeldPart(0, 2, 0, Waits: 0));
        Assert.Equal(1, _reserving.GiveWay(1));
        _reserving.Held(new HeldPart(0, 4, 0, Waits: 0));
        Assert.False(_reserving.IsOver);
        Assert.Equal(2, _reserving.GiveWay(3));
        _reserving.Held(new HeldPart(3, 4, 1, Waits: 1));
        _reserving.Held(new HeldPart(1, 2, 1, Waits: 1));
        Assert.False(_reserving.IsOver);
        _reserving.Held(new HeldPart(3, 4, 2, Waits: 1));
        Assert.True(_reserving.IsOver);
    }

    [Theory]
    [InlineData(0, 4)]
    [InlineData(1, 4)]
    public void It_is_told_that_something_was_passed_over_and_goes_on(int from, int to)
    {
        _reserving.Held(new HeldPart(from, to, 0, Waits: 0, HasGap: true));
        _reserving.Held(new HeldPart(0, 4, 0, Waits: 0));
        Assert.Equal((true, true), (_reserving.IsOver, _reserving.HasGap));
    }

    [Fact]
    public void Who_goes_on_without_has_waited()
    {
        _reserving.Held(new HeldPart(0, 2, 0, Waits: 0));
        _reserving.Stop();
        Assert.Equal((true, true), (_reserving.IsOver, _reserving.HasWaited));
    }
}
