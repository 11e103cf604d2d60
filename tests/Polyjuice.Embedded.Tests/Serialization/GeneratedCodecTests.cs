using System.Collections.Immutable;
using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Testing;

namespace Polyjuice.Embedded.Tests.Serialization;

public sealed class GeneratedCodecTests
{
    [Fact]
    public void Members_of_every_kind_survive() => Prop.ForAll(RandomValues.Whole<int>(), RandomValues.Text, ArbMap.Default.ArbFor<decimal>(), static (balance, owner, limit) =>
    {
        var account = new Account { Balance = balance, Owner = owner, Version = long.MinValue + balance, Notes = ["n", owner], Tag = Guid.Empty, NotCarried = 5 };
        account.SetLimit(limit);
        account.Marks["m"] = [balance];
        foreach (var other in (Account[])[Carry.Across(account), Carry.Copy(account)])
        {
            Assert.Equal((balance, owner, account.Version, limit), (other.Balance, other.Owner, other.Version, other.Limit));
            Assert.Equal(["n", owner], other.Notes);
            Assert.Equal([balance], other.Marks["m"]);
            Assert.Equal(0, other.NotCarried);
        }
    }).Holds();

    [Fact]
    public void A_copy_shares_nothing_that_can_change()
    {
        var account = new Account { Notes = ["a"], Marks = { ["m"] = [1] } };
        var copy = Carry.Copy(account);
        copy.Notes.Add("b");
        copy.Marks["m"][0] = 2;
        copy.Balance = 9;
        Assert.Equal(["a"], account.Notes);
        Assert.Equal([1], account.Marks["m"]);
        Assert.Equal(0, account.Balance);
    }

    [Fact]
    public void Records_and_structs_survive()
    {
        var money = new Money(3.5m, "EUR") { Comment = "tip" };
        Assert.Equal(money, Carry.Across(money));
        Assert.Equal(new Point(-1, 2), Carry.Across(new Point(-1, 2)));
        var segment = Carry.Across(new Segment(new(1, 2), new(3, 4)) { Marks = [5] });
        Assert.Equal((new Point(1, 2), new Point(3, 4)), (segment.From, segment.To));
        Assert.Equal([5], segment.Marks);
        Assert.Equal(new Point(1, 2), Carry.Across<Point?>(new Point(1, 2)));
    }

    [Fact]
    public void A_copied_struct_shares_no_references()
    {
        var segment = new Segment { Marks = [1] };
        Carry.Copy(segment).Marks!.Add(2);
        Assert.Equal([1], segment.Marks);
    }

    [Fact]
    public void Generic_and_nested_types_survive()
    {
        var box = new Box<string> { Value = "v" };
        box.SetOther("o");
        var other = Carry.Across(box);
        Assert.Equal(("v", "o"), (other.Value, other.GetOther()));
        var lid = Carry.Across(new Box<List<int>>.Lid<int> { Size = 3, Label = [4] });
        Assert.Equal(3, lid.Size);
        Assert.Equal([4], lid.Label);
        Assert.Equal(new Pair<Point>(new(1, 2), default), Carry.Across(new Pair<Point>(new(1, 2), default)));
    }

    [Fact]
    public void Base_classes_members_survive()
    {
        var boxed = new Boxed { IsOpen = true, Value = [1] };
        boxed.SetOther([2]);
        var other = Carry.Across(boxed);
        Assert.True(other.IsOpen);
        Assert.Equal([1], other.Value);
        Assert.Equal([2], other.GetOther());
    }

    [Fact]
    public void A_member_may_hold_an_instance_of_a_derived_class()
    {
        var drawing = new Drawing
        {
            Shapes = [new Circle { Name = "c", Radius = 2 }, new Ring { Name = "r", Radius = 3, Inner = 1 }],
            Anything = new Money(1, "USD"),
            Named = new Named("n"),
            Next = new Drawing { Tuple = (1, null) },
            ByName = new Dictionary<string, Shape> { ["x"] = new Ring { Inner = 7 } },
        };
        foreach (var other in (Drawing[])[Carry.Across(drawing), Carry.Copy(drawing)])
        {
            Assert.NotSame(drawing.Shapes[1], other.Shapes[1]);
            Assert.Equal(1, ((Circle)other.Shapes[0]).SideCount);
            var ring = Assert.IsType<Ring>(other.Shapes[1]);
            Assert.Equal(("r", 3.0, 1.0), (ring.Name, ring.Radius, ring.Inner));
            Assert.Equal(new Money(1, "USD"), other.Anything);
            Assert.Equal("n", other.Named!.Name);
            Assert.Equal((1, null), other.Next!.Tuple);
            Assert.Equal(7, ((Ring)other.ByName!["x"]).Inner);
        }
    }

    [Fact]
    public void A_derived_class_is_known_by_its_alias() => Assert.Contains("circle", System.Text.Encoding.UTF8.GetString(Carry.Write<Shape>(new Circle())));

    [Fact]
    public void A_derived_type_that_does_not_fit_is_refused()
    {
        var bytes = Carry.Write<object>(new Money(1, "USD"));
        Assert.Throws<WireFormatException>(() => Carry.Read<Shape>([2, .. bytes]));
        Assert.Throws<WireFormatException>(() => Carry.Read<INamed>(bytes));
    }

    [Fact]
    public void Required_members_and_private_constructors_are_no_obstacle()
    {
        var strict = Carry.Across(new Strict("s", 4));
        Assert.Equal(("s", 4), (strict.Name, strict.Age));
    }

    [Fact]
    public void Immutable_values_are_not_copied()
    {
        var frozen = new Frozen { Items = [1] };
        Assert.Same(frozen, Carry.Copy(frozen));
        Assert.Equal([1], Carry.Across(frozen).Items);
        var money = new Money(1, "USD");
        Assert.Same(money, Carry.Copy(money));
        var tree = new Tree(1, [new Tree(2, [])]);
        Assert.Same(tree, Carry.Copy(tree));
        Assert.True(CodecProvider.Shared.Get<Pair<int>>().IsImmutable);
        Assert.True(CodecProvider.Shared.Get<Point>().IsImmutable);
    }

    [Fact]
    public void Records_that_hold_something_mutable_are_copied()
    {
        var record = new WithList([1]);
        Carry.Copy(record).Items.Add(2);
        Assert.Equal([1], record.Items);
        Assert.False(CodecProvider.Shared.Get<Pair<List<int>>>().IsImmutable);
        Assert.False(CodecProvider.Shared.Get<Segment>().IsImmutable);
    }

    [Fact]
    public void A_value_that_contains_itself_is_refused()
    {
        var drawing = new Drawing();
        drawing.Next = drawing;
        Assert.Contains("contains itself", Assert.Throws<InvalidOperationException>(() => Carry.Write(drawing)).Message);
        Assert.Contains("contains itself", Assert.Throws<InvalidOperationException>(() => Carry.Copy(drawing)).Message);
    }

    [Fact]
    public void Malformed_messages_are_refused_as_such()
    {
        Carry.Mangle(new Drawing { Shapes = [new Ring { Name = "r" }], Tuple = (1, "b"), Named = new Named("x") });
        Carry.Mangle(new Account { Owner = "o", Notes = ["x"], Marks = { ["m"] = [1] } });
        Carry.Mangle(new Tree(1, [new Tree(2, [])]));
        Carry.Mangle(new Segment { Marks = [1] });
    }

    [Fact]
    public void A_type_of_an_unregistered_provider_is_found_by_its_assembly()
    {
        Assert.NotNull(new CodecProvider().Get<Account>());
        Assert.NotNull(new CodecProvider().Get<ImmutableArray<Box<Point>>>());
    }
}
