using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Wire;

public class ReservationPlanTests
{
    private static readonly ReservationOrder _order = new([new(2), new(1), new(2)]);

    private static readonly PlannedReservation[] _entries =
    [
        Entry(1, "C/2"), Entry(0, "C/9"), Entry(2, "C/8"), Entry(1, "C/1"), Entry(PartitionNames.FirstRow + 5, "C/0"),
        Entry(0, "C/9", exclusive: false), Entry(PartitionNames.FirstRow + 7, "B/0"),
    ];

    [Fact]
    public void The_order_is_the_same_whatever_the_set_was_given_in()
    {
        var one = ReservationPlan.Of("T", [.. _entries], _order)!;
        var other = ReservationPlan.Of("T", [.. _entries.Reverse()], _order)!;
        Assert.Equal(one.Entries, other.Entries);
        Assert.Equal(one.View, other.View);
        Assert.Null(ReservationPlan.Of("T", [], _order));
    }

    [Fact]
    public void A_chain_visits_an_owner_once_and_rows_last() =>
        Assert.Equal(
            ["C/1", "C/2", "C/9", "C/8", "B/0", "C/0"],
            ReservationPlan.Of("T", [.. _entries], _order)!.Entries.Select(entry => entry.Key.Grain));

    [Fact]
    public void Accesses_to_one_participant_add_up()
    {
        var entry = ReservationPlan.Of("T", [.. _entries], _order)!.Entries.Single(known => known.Key.Grain == "C/9");
        Assert.Equal((true, 2), (entry.IsExclusive, entry.Accesses));
    }

    [Fact]
    public void Plans_of_those_who_see_other_owners_are_told_apart() =>
        Assert.NotEqual(
            ReservationPlan.Of("T", [.. _entries], _order)!.View,
            ReservationPlan.Of("T", [.. _entries], new ReservationOrder([new(2), new(2), new(1)]))!.View);

    [Fact]
    public void A_plan_is_read_back_as_it_was_written()
    {
        var plan =
            ReservationPlan.Of("T", [.. _entries.Where(entry => !PartitionNames.IsRow(entry.Partition))], _order)!;
        var writer = new ByteWriter();
        ReservationPlan.Write(writer, plan);
        var reader = new ByteReader(writer.Written);
        var read = ReservationPlan.Read(ref reader)!;
        Assert.Equal((plan.Type, plan.View), (read.Type, read.View));
        Assert.Equal(plan.Entries, read.Entries);
    }

    private static PlannedReservation Entry(int partition, string grain, bool exclusive = true) =>
        new(partition, new ParticipantKey(grain, "s", "C"), exclusive, Accesses: 1);
}
