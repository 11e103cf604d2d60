using System.Buffers;
using System.Collections.Immutable;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Testing;

namespace Polyjuice.Embedded.Tests.Serialization;

public sealed class GrainStateCodecTests
{
    [Fact]
    public void Every_carried_member_survives_a_restart() => Prop.ForAll(RandomValues.Whole<int>(), RandomValues.Text, ArbMap.Default.ArbFor<decimal>(), static (balance, owner, limit) =>
    {
        var state = new Account { Balance = balance, Owner = owner, Version = balance, Notes = [owner], Tag = Guid.Empty, NotCarried = 5, Marks = { ["m"] = [1] } };
        state.SetLimit(limit);
        var other = Restarted(state);
        Assert.Equal((balance, owner, (long)balance, limit), (other.Balance, other.Owner, other.Version, other.Limit));
        Assert.Equal([owner], other.Notes);
        Assert.Equal([1], other.Marks["m"]);
        Assert.Equal(0, other.NotCarried);
    }).Holds();

    [Fact]
    public void Every_kind_of_member_that_is_accepted_survives_a_restart()
    {
        var state = new Everything
        {
            Point = new(1, 2),
            Money = new(3, "EUR") { Comment = "c" },
            Shapes = [new Circle { Name = "c", Radius = 1 }, new Ring { Inner = 2 }],
            Box = new() { Value = new(5, 6) },
            Segment = new(new(1, 1), new(2, 2)) { Marks = [3] },
            Stack = new([1, 2, 3]),
            Frozen = ImmutableStack.Create(1, 2),
            ByColour = new() { [Colour.Green] = 1 },
            ById = ImmutableDictionary<Guid, string>.Empty.Add(Guid.Empty, "g"),
            Tuple = (1, "a"),
            Old = Tuple.Create(1, "b"),
            Maybe = 4,
            Ratio = double.NaN,
            Time = DateTimeOffset.MaxValue,
            Set = new HashSet<int> { 9 },
            Queue = new([7, 8]),
            Bytes = [1, 2],
            Tree = new(1, [new(2, [])]),
            Strict = new("s", 3),
        };
        var other = Restarted(state);
        Assert.Equal((state.Point, state.Money, state.Tuple, state.Old), (other.Point, other.Money, other.Tuple, other.Old));
        Assert.Equal(1, Assert.IsType<Circle>(other.Shapes[0]).SideCount);
        Assert.Equal(2, Assert.IsType<Ring>(other.Shapes[1]).Inner);
        Assert.Equal(new Point(5, 6), other.Box!.Value);
        Assert.Equal(new Point(2, 2), other.Segment.To);
        Assert.Equal([3], other.Segment.Marks);
        Assert.Equal(state.Stack, other.Stack);
        Assert.Equal(state.Frozen, other.Frozen);
        Assert.Equal(state.ByColour, other.ByColour);
        Assert.Equal(state.ById, other.ById);
        Assert.Equal((state.Maybe, state.Ratio, state.Time), (other.Maybe, other.Ratio, other.Time));
        Assert.Equal(state.Set, other.Set);
        Assert.Equal(state.Queue, other.Queue);
        Assert.Equal(state.Bytes, other.Bytes);
        Assert.Equal(2, other.Tree!.Children[0].Value);
        Assert.Equal(("s", 3), (other.Strict!.Name, other.Strict.Age));
    }

    [Fact]
    public void The_log_has_one_readable_object_per_state()
    {
        var output = new ArrayBufferWriter<byte>();
        new GrainStateCodec<Ring>().Encode(new Ring { Name = "ä", Inner = 1, Radius = 2 }, output);
        Assert.Equal("""{"Name":"ä","Sides":1,"Radius":2,"Inner":1}""", Encoding.UTF8.GetString(output.WrittenSpan));
        Assert.Equal("json", new GrainStateCodec<Ring>().Name);
    }

    [Fact]
    public void A_member_that_a_stored_state_lacks_keeps_its_default_and_an_unknown_one_is_ignored()
    {
        var state = new GrainStateCodec<Account>().Decode("""{"Balance":3,"Gone":[1]}"""u8);
        Assert.Equal(3, state.Balance);
        Assert.Empty(state.Notes);
    }

    [Fact]
    public void A_collection_compares_after_a_restart_as_the_constructor_made_it()
    {
        var state = Restarted(new CaseBlind { Names = { ["a"] = 1 }, Tags = { "b" } });
        Assert.Equal(1, state.Names["A"]);
        Assert.Contains("B", state.Tags);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{\"Balance\":")]
    [InlineData("{\"Balance\":\"x\"}")]
    [InlineData("[]")]
    public void A_malformed_state_is_refused_with_its_types_name(string json) => Assert.Contains(
        nameof(Account), Assert.Throws<WireFormatException>(() => new GrainStateCodec<Account>().Decode(Encoding.UTF8.GetBytes(json))).Message);

    [Fact]
    public void A_failed_encoding_does_not_spoil_the_next()
    {
        var codec = new GrainStateCodec<Everything>();
        var bad = new Everything();
        bad.Shapes.Add(new Stranger());
        Assert.ThrowsAny<Exception>(() => codec.Encode(bad, new ArrayBufferWriter<byte>()));
        Assert.Equal(1.5, Restarted(new Everything { Ratio = 1.5 }).Ratio);
    }

    [Fact]
    public void A_copy_shares_nothing_that_can_change()
    {
        var codec = new GrainStateCodec<Account>();
        var state = new Account { Notes = ["a"] };
        codec.Copy(state).Notes.Add("b");
        Assert.Equal(["a"], state.Notes);
        Assert.Empty(codec.Create().Notes);
        Assert.False(codec.IsImmutable);
    }

    [Fact]
    public void A_copy_may_be_made_in_an_instance_of_no_more_use()
    {
        var codec = new GrainStateCodec<Account>();
        var state = new Account { Notes = ["a"] };
        var spent = codec.Copy(new Account { Notes = ["old", "older"] });
        var copy = codec.Copy(state, spent);
        Assert.Same(spent, copy);
        Assert.Equal(["a"], copy.Notes);
        copy.Notes.Add("b");
        Assert.Equal(["a"], state.Notes);
    }

    [Fact]
    public void What_is_immutable_is_never_filled_anew()
    {
        var codec = new GrainStateCodec<Frozen>();
        var value = codec.Create();
        Assert.Same(value, codec.Copy(value, codec.Create()));
    }

    [Fact]
    public void Immutable_states_are_known_as_such()
    {
        Assert.True(new GrainStateCodec<Frozen>().IsImmutable);
        Assert.True(new GrainStateCodec<Snapshot>().IsImmutable);
    }

    [Theory]
    [InlineData(typeof(Unmarked), "Unmarked", "[GenerateSerializer]")]
    [InlineData(typeof(WithUnmarked), "WithUnmarked.Items", "[GenerateSerializer]")]
    [InlineData(typeof(WithObject), "WithObject.Deep.Anything", "known only when running")]
    [InlineData(typeof(WithTupleKeys), "WithTupleKeys.Map", "dictionaries")]
    [InlineData(typeof(Money), "Money", "constructor")]
    [InlineData(typeof(Circle[]), "Circle[]", "[GenerateSerializer]")]
    public void A_state_type_that_cannot_be_stored_is_refused_by_name(Type type, string member, string reason)
    {
        var error = Assert.Throws<CodecNotFoundException>(() => GrainStateCodec.Validate(type));
        Assert.Contains(member, error.Message);
        Assert.Contains(reason, error.Message);
    }

    [Fact]
    public void A_state_type_that_can_be_stored_is_accepted()
    {
        GrainStateCodec.Validate(typeof(Everything));
        GrainStateCodec.Validate(typeof(Box<Point>));
    }

    private static T Restarted<T>(T state) where T : class, new()
    {
        var codec = new GrainStateCodec<T>();
        var output = new ArrayBufferWriter<byte>();
        codec.Encode(state, output);
        return codec.Decode(output.WrittenSpan);
    }

    private sealed class Stranger : Shape;
}

[GenerateSerializer]
internal sealed class Everything
{
    [Id(0)] public Point Point { get; set; }
    [Id(1)] public Money? Money { get; set; }
    [Id(2)] public List<Shape> Shapes { get; set; } = [];
    [Id(3)] public Box<Point>? Box { get; set; }
    [Id(4)] public Segment Segment;
    [Id(5)] public Stack<int> Stack { get; set; } = [];
    [Id(6)] public ImmutableStack<int> Frozen { get; set; } = [];
    [Id(7)] public Dictionary<Colour, int> ByColour { get; set; } = [];
    [Id(8)] public ImmutableDictionary<Guid, string> ById { get; set; } = ImmutableDictionary<Guid, string>.Empty;
    [Id(9)] public (int, string) Tuple { get; set; }
    [Id(10)] public Tuple<int, string>? Old { get; set; }
    [Id(11)] public int? Maybe { get; set; }
    [Id(12)] public double Ratio { get; set; }
    [Id(13)] public DateTimeOffset Time { get; set; }
    [Id(14)] public IReadOnlySet<int> Set { get; set; } = new HashSet<int>();
    [Id(15)] public Queue<int> Queue { get; set; } = [];
    [Id(16)] public byte[]? Bytes { get; set; }
    [Id(17)] public Tree? Tree { get; set; }
    [Id(18)] public Strict? Strict { get; set; }
}

[GenerateSerializer]
internal sealed class CaseBlind
{
    [Id(0)] public Dictionary<string, int> Names { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [Id(1)] public HashSet<string> Tags { get; set; } = new(StringComparer.OrdinalIgnoreCase);
}

[GenerateSerializer]
internal record Snapshot
{
    [Id(0)] public int Total { get; init; }
    [Id(1)] public ImmutableArray<Point> Points { get; init; } = [];
}

[GenerateSerializer]
internal sealed class WithUnmarked
{
    [Id(0)] public List<Unmarked> Items { get; set; } = [];
}

[GenerateSerializer]
internal sealed class WithObject
{
    [Id(0)] public Drawing Deep { get; set; } = new();
}

[GenerateSerializer]
internal sealed class WithTupleKeys
{
    [Id(0)] public Dictionary<(int, int), string> Map { get; set; } = [];
}
