using System.Collections.Immutable;
using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Testing;

namespace Polyjuice.Embedded.Tests.Serialization;

public sealed class BuiltInCodecTests
{
    [Fact]
    public void Numbers_survive()
    {
        Survives<byte>();
        Survives<sbyte>();
        Survives(RandomValues.Whole<short>());
        Survives(RandomValues.Whole<ushort>());
        Survives(RandomValues.Whole<int>());
        Survives(RandomValues.Whole<uint>());
        Survives(RandomValues.Whole<long>());
        Survives(RandomValues.Whole<ulong>());
        Survives(RandomValues.Character);
        Survives<bool>();
        Survives<float>();
        Survives<double>();
        Survives<decimal>();
    }

    [Fact]
    public void Texts_times_and_identities_survive()
    {
        Survives<string>();
        Survives(RandomValues.Text);
        Survives<Guid>();
        Survives<DateTime>();
        Survives<TimeSpan>();
        Survives<DateTimeOffset>();
        Survives(RandomValues.Date);
        Assert.Equal(new TimeOnly(23, 59, 58), Carry.Across(new TimeOnly(23, 59, 58)));
        Assert.Equal(new Uri("https://example.org/a?b=c"), Carry.Across(new Uri("https://example.org/a?b=c")));
        Assert.Equal(new Version(1, 2, 3), Carry.Across(new Version(1, 2, 3)));
        Prop.ForAll<DateTime>(static time => Carry.Across(time).Kind == time.Kind).Holds();
        Prop.ForAll<DateTimeOffset>(static time => Carry.Across(time).EqualsExact(time)).Holds();
    }

    [Theory]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    [InlineData(0)]
    public void Extreme_integers_survive(int value)
    {
        Assert.Equal(value, Carry.Across(value));
        Assert.Equal((long)value << 32, Carry.Across((long)value << 32));
        Assert.Equal(ulong.MaxValue, Carry.Across(ulong.MaxValue));
        Assert.Equal(decimal.MinValue, Carry.Across(decimal.MinValue));
    }

    [Fact]
    public void Collections_survive()
    {
        Survives<int[]>();
        Survives<byte[]>();
        Survives<List<string>>();
        Prop.ForAll<Dictionary<int, string>>(static d => Carry.Across(d).OrderBy(p => p.Key).SequenceEqual(d.OrderBy(p => p.Key))).Holds();
        Prop.ForAll<int[]>(static items =>
            Carry.Across(items.ToHashSet()).SetEquals(items)
            && Carry.Across(new Queue<int>(items)).SequenceEqual(items)
            && Carry.Across(new Stack<int>(items)).SequenceEqual(items.Reverse())
            && Carry.Across(new SortedSet<int>(items)).SequenceEqual(items.Distinct().Order())
            && Carry.Across(items.ToImmutableArray()).SequenceEqual(items)
            && Carry.Across(items.ToImmutableList()).SequenceEqual(items)
            && Carry.Across(ImmutableQueue.Create(items)).SequenceEqual(items)
            && Carry.Across(ImmutableStack.Create(items)).SequenceEqual(items.Reverse())
            && Carry.Across(items.ToImmutableHashSet()).SetEquals(items)
            && Carry.Across(items.ToImmutableSortedSet()).SequenceEqual(items.Distinct().Order())
            && Carry.Across(items.Distinct().ToImmutableDictionary(i => i, i => i + 1)).All(p => p.Value == p.Key + 1)
            && Carry.Across(items.Distinct().ToImmutableSortedDictionary(i => i, i => i + 1)).All(p => p.Value == p.Key + 1)
            && Carry.Across(new SortedDictionary<int, int>(items.Distinct().ToDictionary(i => i))).All(p => p.Value == p.Key)).Holds();
    }

    [Fact]
    public void Members_of_interface_types_survive()
    {
        Assert.Equal([1, 2], Carry.Across(Enumerable.Range(1, 2)));
        Assert.Equal([1, 2], Carry.Across<IReadOnlyList<int>>([1, 2]));
        Assert.Equal([1, 2], Carry.Across<ICollection<int>>([1, 2]));
        Assert.Equal([1, 2], Carry.Across<IList<int>>(new[] { 1, 2 }));
        Assert.Equal([1, 2], Carry.Across<IReadOnlyCollection<int>>(new Queue<int>([1, 2])));
        Assert.Equal(new HashSet<int> { 3 }, Carry.Across<ISet<int>>(new SortedSet<int> { 3 }));
        Assert.Equal(new HashSet<int> { 3 }, Carry.Across<IReadOnlySet<int>>(new HashSet<int> { 3 }));
        Assert.Equal("x", Carry.Across<IReadOnlyDictionary<int, string>>(new SortedDictionary<int, string> { [1] = "x" })[1]);
        Assert.Equal("x", Carry.Across<IDictionary<int, string>>(new Dictionary<int, string> { [1] = "x" })[1]);
    }

    [Fact]
    public void Tuples_survive()
    {
        Assert.Equal((1, "a"), Carry.Across((1, "a")));
        Assert.Equal((1, 2L, 'c', true, 5.0, "6", (byte?)null), Carry.Across((1, 2L, 'c', true, 5.0, "6", (byte?)null)));
        Assert.Equal(Tuple.Create(1, "b", 3m), Carry.Across(Tuple.Create(1, "b", 3m)));
        Assert.Equal(KeyValuePair.Create("k", Colour.Green), Carry.Across(KeyValuePair.Create("k", Colour.Green)));
        Assert.Equal((int?)5, Carry.Across<int?>(5));
        Assert.Null(Carry.Across<int?>(null));
    }

    [Fact]
    public void Nulls_survive_everywhere()
    {
        Assert.Null(Carry.Across<string?>(null));
        Assert.Null(Carry.Across<int[]?>(null));
        Assert.Null(Carry.Across<byte[]?>(null));
        Assert.Null(Carry.Across<List<int>?>(null));
        Assert.Null(Carry.Across<Dictionary<int, int>?>(null));
        Assert.Null(Carry.Across<ImmutableDictionary<int, int>?>(null));
        Assert.Null(Carry.Across<IEnumerable<int>?>(null));
        Assert.Null(Carry.Across<Tuple<int>?>(null));
        Assert.Null(Carry.Across<object?>(null));
        Assert.Null(Carry.Across<Exception?>(null));
        Assert.True(Carry.Across(default(ImmutableArray<int>)).IsDefault);
        Assert.Equal([null, "a"], Carry.Across<List<string?>>([null, "a"]));
    }

    [Fact]
    public void Enums_without_a_name_for_their_value_survive()
    {
        Assert.Equal((Colour)77, Carry.Across((Colour)77));
        Assert.Equal(DayOfWeek.Friday, Carry.Across(DayOfWeek.Friday));
    }

    [Fact]
    public void A_collection_keeps_comparing_without_regard_to_case()
    {
        var carried = Carry.Across(new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["Key"] = 1 });
        Assert.Equal(1, carried["KEY"]);
        Assert.Contains("A", Carry.Across(ImmutableHashSet.Create<string>(StringComparer.OrdinalIgnoreCase, "a")));
        Assert.Contains("A", Carry.Copy(new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "a" }));
    }

    [Fact]
    public void A_comparer_that_a_message_cannot_carry_is_refused()
    {
        var comparer = EqualityComparer<int>.Create(static (a, b) => a % 2 == b % 2, static a => a % 2);
        Assert.Throws<InvalidOperationException>(() => Carry.Write(new HashSet<int>(comparer)));
        Assert.Throws<InvalidOperationException>(() => Carry.Write(new SortedSet<int>(Comparer<int>.Create(static (a, b) => b - a))));
    }

    [Fact]
    public void A_copy_of_a_collection_shares_nothing()
    {
        var list = new List<int[]> { new[] { 1 } };
        var copy = Carry.Copy(list);
        copy[0][0] = 2;
        copy.Add([]);
        Assert.Equal([1], Assert.Single(list));

        var dictionary = new Dictionary<string, List<int>> { ["a"] = [1] };
        Carry.Copy(dictionary)["a"].Add(2);
        Assert.Equal([1], dictionary["a"]);

        var stack = new Stack<int>([1, 2]);
        Assert.Equal(2, Carry.Copy(stack).Pop());
        Assert.Equal(2, stack.Count);

        var immutable = ImmutableList.Create(new List<int> { 1 });
        Carry.Copy(immutable)[0].Add(2);
        Assert.Equal([1], immutable[0]);
    }

    [Fact]
    public void What_cannot_change_is_not_copied()
    {
        var list = ImmutableList.Create("a", "b");
        Assert.Same(list, Carry.Copy(list));
    }

    [Fact]
    public void Objects_are_carried_by_their_types_names()
    {
        Assert.Equal(5, Carry.Across<object>(5));
        Assert.Equal("text", Carry.Across<object>("text"));
        Assert.Equal(Colour.Green, Carry.Across<object>(Colour.Green));
        Assert.Equal(new List<int[]> { new[] { 1 } }, Carry.Across<object>(new List<int[]> { new[] { 1 } }));
        Assert.Equal(new Pair<string>("a", "b"), Carry.Across<object>(new Pair<string>("a", "b")));
        Assert.Equal([1, "b", null], Carry.Across<object?[]>([1, "b", null]));
    }

    [Fact]
    public void A_name_that_nobody_registered_is_refused()
    {
        foreach (var name in (string[])["System.Diagnostics.Process", "", "System.Int32[", "System.Collections.Generic.List`1<", "System.Int32<System.Int32>", "System.Object"])
            Assert.Throws<WireFormatException>(() => Carry.Read<object>(Carry.Write(name)));
    }

    [Fact]
    public void A_type_without_codec_is_named()
    {
        var error = Assert.Throws<CodecNotFoundException>(() => Carry.Write(new List<Unmarked> { new() }));
        Assert.Equal(typeof(Unmarked), error.Type);
        Assert.Contains("mark it [GenerateSerializer]", error.Message);
        Assert.Throws<CodecNotFoundException>(() => CodecProvider.Shared.Get<Action>());
        Assert.Throws<CodecNotFoundException>(() => CodecProvider.Shared.Get<CancellationToken>());
        Assert.Throws<CodecNotFoundException>(() => CodecProvider.Shared.Get<int[,]>());
        Assert.Throws<CodecNotFoundException>(() => Carry.Write<object>(new object()));
    }

    [Fact]
    public void Malformed_messages_are_refused_as_such()
    {
        Carry.Mangle(new Dictionary<string, int[]> { ["a"] = [1, 2], ["b"] = [] });
        Carry.Mangle(new List<object> { 1, "a", new Money(3, "EUR") });
        Carry.Mangle((decimal.MaxValue, DateTime.MaxValue, DateTimeOffset.MaxValue, Guid.Empty, 'x', (short)3, new DateOnly(2000, 1, 1)));
        Carry.Mangle(new HashSet<string> { "a", "b" });
        Carry.Mangle<Exception>(new OverdrawnException("no", 3));
    }

    [Fact]
    public void A_count_that_the_message_cannot_hold_is_refused_before_memory_is_taken() =>
        Assert.Throws<WireFormatException>(() => Carry.Read<long[]>([0xff, 0xff, 0xff, 0xff, 0x07]));

    private static void Survives<T>() => Survives(ArbMap.Default.ArbFor<T>());

    private static void Survives<T>(Arbitrary<T> values) => Prop.ForAll(values, static value =>
    {
        Assert.Equal(value, Carry.Across(value));
        Assert.Equal(value, Carry.Copy(value));
    }).Holds();
}
