using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Learning;

/// <summary>What may stand for grains in a call.</summary>
public class CallKeysTests
{
    private static readonly Guid s_guid = Guid.Parse("0f8fad5b-d9cb-469f-a165-70867728950e");
    private readonly CallKeys _keys = new("root/1");

    [Fact]
    public void Integers_guids_strings_and_references_may_and_so_may_collections_of_them()
    {
        object?[] arguments =
        [
            5, 6L, (byte)7, s_guid, "text", new Reference("account/8"), new List<long> { 9, 10 }, new[] { "a", "b" },
            new HashSet<int> { 11 }
        ];
        for (var i = 0; i < arguments.Length; i++) Add(i, arguments[i]);
        Assert.Equal(
            [
                new(CallKeys.Self, "root/1", true), new(0, "#5", false), new(1, "#6", false), new(2, "#7", false),
                new(3, $"#{s_guid:N}", false), new(4, "text", false), new(5, "account/8", true), new(6, "#9", false),
                new(6, "#10", false), new(7, "a", false), new(7, "b", false), new(8, "#11", false),
            ],
            _keys.All);
    }

    [Fact]
    public void Nothing_else_does()
    {
        object?[] arguments =
        [
            null, true, 'c', 1.5, 1.5m, DayOfWeek.Friday, new object(), " ", new string('x', CallKeys.LengthMax + 1),
            DateTime.UnixEpoch, new object?[] { null, 2.5f }, new byte[] { 1, 2 }
        ];
        for (var i = 0; i < arguments.Length; i++) Add(i, arguments[i]);
        Assert.Equal([new(CallKeys.Self, "root/1", true)], _keys.All);
    }

    [Fact]
    public void There_are_so_many_at_the_most()
    {
        Add(0, Enumerable.Range(0, CallKeys.CountMax - 1).ToArray());
        Assert.False(_keys.IsFull);
        Add(1, 5);
        Assert.True(_keys.IsFull);
        Assert.Equal(CallKeys.CountMax, _keys.All.Count);
    }

    private void Add(int argument, object? value) => _keys.Add(argument, value, Names.Instance);

    private sealed record Reference(string Name);

    private sealed class Names : IGrainNames
    {
        public static readonly Names Instance = new();

        public string KeyOf(long key) => $"#{key}";

        public string KeyOf(Guid key) => $"#{key:N}";

        public string? NameOf(object reference) => (reference as Reference)?.Name;
    }
}
