using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage.Images;

/// <summary>
/// Against a dictionary, through growth, changes of length and the tidying up of what is left behind.
/// </summary>
public sealed class StateTableTests
{
    private const int Participants = 500;

    private readonly StateTable _table = new();
    private readonly Dictionary<ParticipantKey, CommittedState> _expected = [];

    [Fact]
    public void It_holds_the_last_state_of_each_participant_whatever_its_length()
    {
        var random = new Random(7);
        for (var i = 1; i <= 20_000; i++) Set(random.Next(Participants), i, random.Next(0, 200));
        Assert.Equal(_expected.Count, _table.Count);
        foreach (var (key, state) in _expected) Same(state, _table[key]);
        Assert.Equal(_expected.Keys.ToHashSet(), _table.Keys.ToHashSet());

        // A hundred times as much was written: what is left behind goes.
        Assert.InRange(_table.Bytes, 0, Participants * 1_000);
    }

    [Fact]
    public void A_participant_that_only_has_a_number_has_no_state()
    {
        var number = _table.NumberOf(Bytes(Key(1)));
        Assert.Equal(number, _table.NumberOf(Bytes(Key(1))));
        Assert.Null(_table.Find(Key(1)));
        Assert.Null(_table.VersionOf(number));
        Assert.Empty(_table);
        Assert.Empty(_table.Sorted());
        Assert.Contains(
            "Account/1.balance",
            Assert.Throws<KeyNotFoundException>(() => _table[Key(1)]).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_on_top_is_forgotten_when_chains_begin_anew()
    {
        var number = _table.NumberOf(Bytes(Key(1)));
        _table.BeginChains();
        Assert.Null(_table.TopOf(number));
        _table.SetTop(number, Version(5));
        Assert.Equal(Version(5), _table.TopOf(number));
        _table.BeginChains();
        Assert.Null(_table.TopOf(number));
    }

    [Fact]
    public void It_is_sorted_by_name()
    {
        for (var i = 0; i < Participants; i++) Set((i * 37) % Participants, i + 1, 8);
        var names = _table.Sorted().Select(participant => ReadKey(_table.KeyOf(participant)).Grain).ToArray();
        Assert.Equal(_expected.Keys.Select(key => key.Grain).Order(StringComparer.Ordinal), names);
    }

    [Fact]
    public void States_that_are_elsewhere_leave_their_versions_behind()
    {
        for (var i = 0; i < 5; i++) Set(i, i + 1, i * 10);
        _table.DropStates();
        _table.DropStates();
        foreach (var (key, state) in _expected) Same(state with { Encoded = [] }, _table[key]);
        for (var i = 0; i < 5; i++) Set(i, i + 11, 30);
        foreach (var (key, state) in _expected) Same(state, _table[key]);
    }

    private void Set(int participant, int version, int length)
    {
        var state = new CommittedState(
            Version(version), version * 10L, "json", [.. Enumerable.Repeat((byte)version, length)]);
        _expected[Key(participant)] = state;
        var encoded = new ByteWriter();
        encoded.String(state.Codec);
        var start = encoded.BeginLength();
        encoded.Raw(state.Encoded);
        encoded.EndLength(start);
        _table.Set(_table.NumberOf(Bytes(Key(participant))), state.Version, state.Timestamp, encoded.Written);
    }

    private static void Same(CommittedState expected, CommittedState actual)
    {
        Assert.Equal(
            (expected.Version, expected.Timestamp, expected.Codec), (actual.Version, actual.Timestamp, actual.Codec));
        Assert.Equal(expected.Encoded, actual.Encoded);
    }

    private static ParticipantKey Key(int number) => new($"Account/{number}", "balance", "Account");

    private static VersionId Version(int number) => new(new TransactionId(new NodeId(1), number), 1);

    private static byte[] Bytes(ParticipantKey key)
    {
        var bytes = new ByteWriter();
        LogRecords.WriteKey(bytes, key);
        return bytes.Written.ToArray();
    }

    private static ParticipantKey ReadKey(ReadOnlySpan<byte> key)
    {
        var reader = new ByteReader(key);
        return LogRecords.ReadKey(ref reader);
    }
}
