using System.Globalization;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// What runs have exercised, counted by kind, so that nothing is left out without a word: what is expected and has
/// never happened counts 0. Used on one thread.
/// </summary>
public sealed class ChaosCoverage
{
    private readonly Dictionary<string, Dictionary<string, long>> _groups = [];

    /// <summary>What was expected and has never happened, each with its group.</summary>
    public IReadOnlyList<string> Missing =>
        [
            .. _groups.SelectMany(
                group => group.Value.Where(kind => kind.Value == 0).Select(kind => $"{group.Key}: {kind.Key}"))
        ];

    /// <summary>These kinds are to happen.</summary>
    public void Expect(string group, params IEnumerable<string> kinds)
    {
        ArgumentNullException.ThrowIfNull(kinds);
        foreach (var kind in kinds) Add(group, kind, 0);
    }

    /// <summary>A kind has happened so often.</summary>
    public void Add(string group, string kind, long count = 1)
    {
        if (!_groups.TryGetValue(group, out var kinds)) _groups.Add(group, kinds = []);
        kinds[kind] = kinds.GetValueOrDefault(kind) + count;
    }

    /// <summary>How often a kind has happened.</summary>
    public long Of(string group, string kind) =>
        _groups.TryGetValue(group, out var kinds) ? kinds.GetValueOrDefault(kind) : 0;

    /// <summary>What another run has exercised is added.</summary>
    public void Add(ChaosCoverage other)
    {
        ArgumentNullException.ThrowIfNull(other);
        foreach (var (group, kinds) in other._groups)
        {
            foreach (var (kind, count) in kinds) Add(group, kind, count);
        }
    }

    /// <summary>A line for each kind, under its group.</summary>
    public override string ToString() => string.Join(
        Environment.NewLine,
        _groups.SelectMany(group => group.Value
            .Select(
                kind => string.Create(
                    CultureInfo.InvariantCulture,
                    $"  {kind.Key,-44}{kind.Value,14:N0}{(kind.Value == 0 ? "  NEVER" : "")}"))
            .Prepend($"{group.Key}:")));
}
