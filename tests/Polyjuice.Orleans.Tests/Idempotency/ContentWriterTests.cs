using System.Collections.Frozen;
using System.Collections.Immutable;
using Polyjuice.Orleans.Idempotency;

namespace Polyjuice.Orleans.Tests.Idempotency;

public sealed class ContentWriterTests
{
    public static TheoryData<object?, object?> Different => new()
    {
        { null, "" },
        { 1, 2 },
        { "a", "b" },
        { new[] { 1, 2 }, new[] { 2, 1 } },
        { new[] { "ab", "c" }, new[] { "a", "bc" } },
        { new[] { new[] { 1 }, [2] }, new[] { new[] { 1, 2 }, [] } },
        { new HashSet<int> { 1 }, new HashSet<int> { 2 } },
        { new Dictionary<string, int> { ["a"] = 1 }, new Dictionary<string, int> { ["a"] = 2 } },
        { new Point(1, "x"), new Point(2, "x") },
        { new Point(1, "x"), new Place(1, "x") },
        { new Point(1, null), new Point(1, "") },
        { DateTime.UnixEpoch, DateTime.UnixEpoch.AddTicks(1) },
        { new Holder(new byte[] { 1, 2 }), new Holder(new byte[] { 1, 3 }) },
        { 0.1 + 0.2, 0.3 },
        { DayOfWeek.Monday, DayOfWeek.Friday },
        { ImmutableArray.Create(1), ImmutableArray.Create(2) },
    };

    [Theory]
    [MemberData(nameof(Different))]
    public void Values_that_hold_something_else_have_other_bytes(object? one, object? other) =>
        Assert.NotEqual(BytesOf(one), BytesOf(other));

    // To Orleans' serialiser the two are different.
    [Fact]
    public void A_text_that_is_there_twice_is_as_good_as_two_equal_ones()
    {
        var text = new string('e', 3);
        Assert.Equal(BytesOf(new[] { text, text }), BytesOf(new[] { text, new string('e', 3) }));
        var point = new Point(1, text);
        Assert.Equal(BytesOf(new[] { point, point }), BytesOf(new[] { point, new Point(1, "eee") }));
    }

    [Fact]
    public void Dictionaries_and_sets_have_no_order()
    {
        Assert.Equal(
            BytesOf(new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }),
            BytesOf(new Dictionary<string, int> { ["b"] = 2, ["a"] = 1 }));
        Assert.Equal(BytesOf(new HashSet<string> { "a", "b" }), BytesOf(new HashSet<string> { "b", "a" }));
        Assert.Equal(BytesOf(new HashSet<string> { "a", "b" }), BytesOf(new[] { "b", "a" }.ToFrozenSet()));
    }

    [Fact]
    public void Collections_are_their_elements()
    {
        Assert.Equal(BytesOf(new[] { 1, 2 }), BytesOf(new List<int> { 1, 2 }));
        Assert.Equal(BytesOf(new List<int>(100) { 1 }), BytesOf(new List<int> { 1 }));
        Assert.NotEmpty(BytesOf(default(ImmutableArray<int>)));
    }

    [Fact]
    public void What_is_not_serialised_does_not_count()
    {
        var one = new Caching { Value = 1 };
        one.Fill();
        Assert.Equal(BytesOf(new Caching { Value = 1 }), BytesOf(one));
        Assert.Equal(BytesOf(CancellationToken.None), BytesOf(new CancellationToken(canceled: true)));
    }

    [Fact]
    public void Objects_that_hold_themselves_come_to_an_end()
    {
        var (one, other) = (new Node { Value = 1 }, new Node { Value = 1 });
        one.Next = one;
        other.Next = other;
        Assert.Equal(BytesOf(one), BytesOf(other));
        other.Next = new() { Value = 1 };
        Assert.NotEqual(BytesOf(one), BytesOf(other));
    }

    [Fact]
    public void So_do_long_chains_and_what_is_shared_many_times()
    {
        var chain = new Node();
        for (var i = 0; i < 100_000; i++) chain = new() { Next = chain };
        Assert.NotEmpty(BytesOf(chain));

        object shared = "x";
        for (var i = 0; i < 40; i++) shared = new[] { shared, shared };
        Assert.InRange(BytesOf(shared).Length, 1, 16 * ContentWriter.ValuesMax);
    }

    private static byte[] BytesOf(object? value)
    {
        var writer = new ContentWriter();
        writer.Write(value);
        return writer.Written.ToArray();
    }

    private sealed record Point(int X, string? Name);

    private sealed record Place(int X, string? Name);

    private readonly record struct Holder(byte[] Bytes);

    private sealed class Node
    {
        public int Value { get; set; }

        public Node? Next { get; set; }
    }

    private sealed class Caching
    {
        [NonSerialized]
        private string? _text;

        public int Value { get; set; }

        public void Fill() => _text = $"{_text}{Value}";
    }
}
