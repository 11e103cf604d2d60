using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>
/// The names of several recordings, numbered once for all: a
/// participant is the same wherever and however often it was named.
/// </summary>
internal sealed class RecordedNames
{
    private readonly Dictionary<(string Class, string Key), int> _grainNumbers = [];
    private readonly Dictionary<(int Grain, string State), int> _participantNumbers = [];
    private readonly Dictionary<string, int> _typeNumbers = new(StringComparer.Ordinal);
    private readonly Dictionary<SiteKey, int> _siteNumbers = [];
    private readonly Dictionary<long, int> _siloNumbers = [];
    private readonly Dictionary<TracedMethod, int> _methodNumbers = [];

    public List<string> Types { get; } = [];

    public List<SiteKey> Sites { get; } = [];

    public List<TracedMethod> Methods { get; } = [];

    public List<(string Class, string Key)> Grains { get; } = [];

    /// <summary>Each with the silo that recorded it last, and when.</summary>
    public List<(int Grain, string State, int Silo, long At)> Participants { get; } = [];

    public List<(long Node, string Name)> Silos { get; } = [];

    public int Type(string name) => NumberOf(_typeNumbers, name, Types, name);

    public int Site(SiteKey key) => NumberOf(_siteNumbers, key, Sites, key);

    public int Silo(long node, string name) => NumberOf(_siloNumbers, node, Silos, (node, name));

    public int Method(TracedMethod method) => NumberOf(_methodNumbers, method, Methods, method);

    public int Participant(string grainClass, string state, string grain)
    {
        var number = NumberOf(_grainNumbers, (grainClass, grain), Grains, (grainClass, grain));
        return NumberOf(
            _participantNumbers, (number, state), Participants, (number, $"{grainClass}.{state}", 0, long.MinValue));
    }

    /// <summary>A silo serves a participant at a time.</summary>
    public void Served(int participant, int silo, long at)
    {
        var known = Participants[participant];
        if (at > known.At) Participants[participant] = known with { Silo = silo, At = at };
    }

    private static int NumberOf<TKey, TItem>(
        Dictionary<TKey, int> numbers, TKey key, List<TItem> items, TItem item) where TKey : notnull
    {
        if (numbers.TryGetValue(key, out var number)) return number;
        numbers.Add(key, items.Count);
        items.Add(item);
        return items.Count - 1;
    }
}
