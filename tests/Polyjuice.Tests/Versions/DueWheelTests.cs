using Polyjuice.Versions;

namespace Polyjuice.Tests.Versions;

/// <summary>A wheel with slots of 10 µs, on a clock that the test sets.</summary>
public sealed class DueWheelTests
{
    private const long Start = 1_000_000_000;
    private const long SlotLength = 10;

    private readonly DueWheel<Item> _wheel;
    private readonly List<(string Name, long At)> _looks = [];
    private long _now = Start;

    public DueWheelTests()
    {
        _wheel = new(SlotLength, (item, now) =>
        {
            _looks.Add((item.Name, now));
            return item.Next(now);
        });
        _wheel.Tick(_now);
    }

    [Fact]
    public void What_is_due_is_looked_at_in_the_first_tick_after_that_and_once()
    {
        _wheel.Add(new("a"), Start + 25);
        Move(20);
        Assert.Empty(_looks);
        Move(10);
        Assert.Equal([("a", Start + 30)], _looks);
        Move(10_000);
        Assert.Single(_looks);
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public void A_look_says_when_the_next_one_is_due()
    {
        _wheel.Add(new("a") { Next = now => now + 30 }, Start + 10);
        for (var i = 0; i < 10; i++) Move(10);
        Assert.Equal([Start + 10, Start + 40, Start + 70, Start + 100], _looks.Select(look => look.At));
    }

    [Fact]
    public void What_becomes_due_earlier_is_looked_at_then_and_what_becomes_due_later_when_it_was_due()
    {
        var (earlier, later) = (new Item("earlier"), new Item("later"));
        _wheel.Add(earlier, Start + 500);
        _wheel.Add(earlier, Start + 20);
        _wheel.Add(later, Start + 30);
        _wheel.Add(later, Start + 500);
        for (var i = 0; i < 60; i++) Move(10);
        Assert.Equal([("earlier", Start + 20), ("later", Start + 30)], _looks);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(300)]
    [InlineData(511)]
    public void What_is_new_is_looked_at_in_the_tick_after_the_next_or_earlier_if_it_is_due_whenever_that_is(int slot)
    {
        const int turn = DueWheel<Item>.Slots;
        Move(SlotLength * (turn + slot - (Start / SlotLength % turn)));
        Assert.Equal(slot, _now / SlotLength % turn);
        var (item, hastened) = (new Item("item"), new Item("hastened"));
        _wheel.AddSoon(item);
        _wheel.AddSoon(hastened);
        _wheel.AddSoon(hastened);
        _wheel.Add(hastened, _now + SlotLength);
        Assert.Equal(2, _wheel.Count);
        var from = _now;
        Move(SlotLength);
        Assert.Equal([("hastened", from + SlotLength)], _looks);
        for (var i = 1; i < turn; i++) Move(SlotLength);
        Assert.Equal([("hastened", from + SlotLength), ("item", from + (2 * SlotLength))], _looks);
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public void What_is_overdue_is_looked_at_in_the_next_tick()
    {
        _wheel.Add(new("a"), Start - 1_000);
        Assert.Empty(_looks);
        Move(10);
        Assert.Single(_looks);
    }

    [Fact]
    public void What_was_taken_out_is_not_looked_at_and_the_others_of_its_slot_are()
    {
        Item[] items = [new("a"), new("b"), new("c"), new("d")];
        foreach (var item in items) _wheel.Add(item, Start + 10);
        _wheel.Remove(items[1]);
        _wheel.Remove(items[1]);
        _wheel.Remove(items[3]);
        Assert.Equal(2, _wheel.Count);
        Move(10);
        Assert.Equal(["a", "c"], _looks.Select(look => look.Name).Order());
    }

    [Fact]
    public void One_that_a_look_at_another_one_takes_out_is_not_looked_at()
    {
        var (first, second, third) = (new Item("first"), new Item("second"), new Item("third"));
        first.Next = _ =>
        {
            _wheel.Remove(second);
            return DueWheel<Item>.Never;
        };
        foreach (var item in new[] { first, second, third }) _wheel.Add(item, Start + 10);
        Move(10);
        Assert.Equal(["first", "third"], _looks.Select(look => look.Name));
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public void What_is_due_later_than_the_wheel_reaches_goes_round()
    {
        const long Due = Start + (10 * DueWheel<Item>.Slots * SlotLength);
        _wheel.Add(new("a") { Next = now => now >= Due ? DueWheel<Item>.Never : Due }, Due);
        while (_wheel.Count > 0) Move(10);
        Assert.Equal(Due, _looks[^1].At);
        Assert.InRange(_looks.Count, 10, 12);
    }

    [Fact]
    public void A_tick_that_comes_late_looks_at_all_that_has_become_due()
    {
        _wheel.Add(new("a"), Start + 10);
        _wheel.Add(new("b"), Start + 1_000);
        _wheel.Add(new("c"), Start + 5_000);
        Move(1_005);
        Assert.Equal(["a", "b"], _looks.Select(look => look.Name).Order());
        Move(1_000_000);
        Assert.Equal(["a", "b", "c"], _looks.Select(look => look.Name).Order());
    }

    [Fact]
    public void A_clock_that_is_set_back_keeps_nothing_from_being_looked_at()
    {
        const long early = Start / 2;
        var item = new Item("a")
        {
            Next = now => now >= early + 100 && now < Start ? DueWheel<Item>.Never : early + 100
        };
        _wheel.Add(item, Start + 100);
        _now = early;
        for (var i = 0; i < 12; i++) Move(10);
        Assert.Equal(early + 100, _looks[^1].At);
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public void A_tick_looks_at_no_more_than_what_is_due_however_much_there_is()
    {
        for (var i = 0; i < 10_000; i++) _wheel.Add(new("far"), Start + 4_000);
        for (var i = 0; i < 3; i++) _wheel.Add(new("near"), Start + 50);
        for (var i = 0; i < 100; i++) Move(10);
        Assert.Equal(3, _wheel.Looks);
        Assert.Equal(10_000, _wheel.Count);
    }

    private void Move(long by) => _wheel.Tick(_now += by);

    private sealed class Item(string name) : IHasDuePlace
    {
        private DuePlace _due;

        public string Name => name;

        public Func<long, long> Next { get; set; } = static _ => DueWheel<Item>.Never;

        public ref DuePlace Due => ref _due;
    }
}
