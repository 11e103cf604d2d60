using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// A guess at what the transactions of a type access: of every grain
/// of one type that an argument stands for, one state. Turn only.
/// </summary>
internal sealed class AccessRule
{
    private readonly int _argument;
    private readonly bool _isOfNames;

    // The grains' type and a slash.
    private readonly string _prefix;
    private readonly string _state;
    private readonly string _grainClass;

    private AccessRule(in CallKey key, string prefix, in AccessSetEntry entry)
    {
        (_argument, _isOfNames, _prefix, _state, _grainClass) =
            (key.Argument, key.IsName, prefix, entry.Key.State, entry.Key.GrainClass);
        IsRow = PartitionNames.IsRow(entry.Partition);
    }

    /// <summary>Whether the state is kept in a row of its own.</summary>
    public bool IsRow { get; }

    /// <summary>How often it has been right, with what it was wrong in counted against that.</summary>
    public int Score { get; private set; }

    /// <summary>Whether what it says has been updated, ever.</summary>
    public bool Updates { get; private set; }

    /// <summary>
    /// Accesses to each grain that it alone says; 0 when there are
    /// sometimes more and sometimes fewer, and less while there was none.
    /// </summary>
    public int Accesses { get; private set; } = -1;

    /// <summary>The rule by which something of a call stands for what was accessed, if it can.</summary>
    public static AccessRule? For(in CallKey key, in AccessSetEntry entry)
    {
        var grain = entry.Key.Grain;
        if (!grain.EndsWith(key.Text, StringComparison.Ordinal)) return null;
        if (key.IsName)
            return grain.Length == key.Text.Length && grain.IndexOf('/') is var slash and >= 0
                ? new(key, grain[..(slash + 1)], entry)
                : null;
        var prefix = grain[..^key.Text.Length];
        return prefix.IndexOf('/') == prefix.Length - 1 && prefix.Length > 1 ? new(key, prefix, entry) : null;
    }

    /// <summary>What it says of a key; <see langword="null"/> if that is nothing.</summary>
    public ParticipantKey? Of(in CallKey key) =>
        key.Argument != _argument || key.IsName != _isOfNames ? null
        : !_isOfNames ? new(_prefix + key.Text, _state, _grainClass)
        : key.Text.StartsWith(_prefix, StringComparison.Ordinal) ? new(key.Text, _state, _grainClass) : null;

    /// <summary>Whether another one says the same, always.</summary>
    public bool IsSame(AccessRule other) =>
        (_argument, _isOfNames, _prefix, _state,
            _grainClass) == (other._argument, other._isOfNames, other._prefix, other._state, other._grainClass);

    /// <summary>All that it says of a call was accessed.</summary>
    public void WasRight() => Score = Math.Min(Score + 1, LearnedAccesses.ScoreMax);

    /// <summary>Some of it was not.</summary>
    public void WasWrong() => Score -= LearnedAccesses.Miss;

    /// <summary>How one of those was accessed that nothing else says.</summary>
    /// <param name="updates">Whether it was updated.</param>
    /// <param name="accesses">How often.</param>
    public void Accessed(bool updates, int accesses)
    {
        NoteUpdate(updates);
        Accesses = Accesses < 0 || Accesses == accesses ? accesses : 0;
    }

    /// <summary>One of those was accessed that something else says, too.</summary>
    public void NoteUpdate(bool updates) => Updates |= updates;
}
