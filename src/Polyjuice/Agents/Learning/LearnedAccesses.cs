using System.Runtime.InteropServices;
using Polyjuice.Contracts;
using Polyjuice.Reservations;

namespace Polyjuice.Agents;

/// <summary>
/// What the transactions of one type access, as far as it follows from the grain that is called and the keys in its
/// arguments: learned from dry runs, which it takes the place of when it has been right for long enough. Turn only.
/// </summary>
/// <remarks>
/// <para>
/// A guess is an <see cref="AccessRule"/>: that of each grain which an argument names, a state is accessed. Every dry
/// run suggests rules and tests those there are. Once all accesses of so many dry runs were said by rules that hold,
/// nothing is run dry any more, but for one transaction in <see cref="CheckEvery"/>, which shows what is reserved for
/// nothing. What a rule says wrongly costs time and nothing else: an access that it lacks follows ordinary rows, or
/// makes the attempt begin anew with a dry run, and counts against it as much as being right <see cref="Miss"/> times
/// counts for it. So what goes wrong in more than one of some seventeen is run dry again: an attempt in vain costs
/// several dry runs.
/// </para>
/// <para>What a body looks up in other grains follows from no argument: such types are run dry always, and only every
/// so often is it looked whether that has changed.</para>
/// </remarks>
/// <param name="scoreToTrust">
/// So often must it have been right, with what it was wrong in counted against
/// it, to take the place of dry runs; and a quarter as often each rule.
/// </param>
internal sealed class LearnedAccesses(int scoreToTrust)
{
    /// <summary>
    /// How often it, or a rule, has been right, at the most: what was right for long is soon wrong often enough, too.
    /// </summary>
    public const int ScoreMax = 96;

    /// <summary>How often it must be right for each time that it is wrong.</summary>
    public const int Miss = 16;

    /// <summary>Rules at the most.</summary>
    public const int RulesMax = 64;

    /// <summary>One transaction in so many is run dry all the same.</summary>
    public const int CheckEvery = 64;

    /// <summary>
    /// After so many dry runs in a row of which no rule can say
    /// everything, one in <see cref="CheckEvery"/> is looked at.
    /// </summary>
    public const int Hopeless = 128;

    /// <summary>One transaction in so many is run dry to learn from it, where nothing else runs them dry.</summary>
    public const int ScoutEvery = 4;

    private readonly List<AccessRule> _rules = [];

    // For one turn: each transaction asks.
    private readonly Dictionary<ParticipantKey, KnownAccess> _saying = [];
    private readonly int _scoreToBelieve = Math.Max(1, scoreToTrust / 4);
    private int _score;
    private int _asked;
    private int _scouts;
    private int _unsaid;

    /// <summary>Whether it takes the place of dry runs.</summary>
    public bool IsTrusted => _score >= scoreToTrust;

    /// <summary>
    /// Says whether to look at the next dry run. Where nothing follows from arguments, few are looked at.
    /// </summary>
    public bool TakesInterest() => _unsaid < Hopeless || ++_unsaid % CheckEvery == 0;

    /// <summary>
    /// Says whether the next transaction is run dry although it need not be, to see whether all is as it was.
    /// </summary>
    public bool IsToCheck() => ++_asked % CheckEvery == 0;

    /// <summary>
    /// Says whether to run the next transaction dry for nothing else than
    /// to learn: one in <see cref="ScoutEvery"/>, while there is hope.
    /// </summary>
    public bool IsToScout() => _unsaid < Hopeless && ++_scouts % ScoutEvery == 0;

    /// <summary>Says what a transaction is going to access.</summary>
    /// <param name="keys">Of its call.</param>
    /// <param name="accesses">Holds that and nothing else afterwards.</param>
    public void Say(CallKeys keys, List<KnownAccess> accesses)
    {
        accesses.Clear();
        foreach (var said in Said(keys, onlyBelieved: true, _saying).Values) accesses.Add(said);
    }

    /// <summary>A whole dry run has ended.</summary>
    /// <param name="keys">Of its call.</param>
    /// <param name="accesses">What it has accessed.</param>
    public void Learn(CallKeys keys, IReadOnlyList<AccessSetEntry> accesses)
    {
        if (keys.IsFull)
        {
            Count(isRight: false);
            _unsaid++;
            return;
        }

        // Before this run counts, or what it suggests would seem to have been known.
        var (said, believed) = (Said(keys, onlyBelieved: false, []), Said(keys, onlyBelieved: true, _saying));
        Test(keys, accesses, said);
        var (isBelieved, canBeSaid) = (true, true);
        foreach (var entry in accesses)
        {
            isBelieved &= believed.ContainsKey(entry.Key);
            if (!said.ContainsKey(entry.Key)) canBeSaid &= Suggest(keys, entry);
        }

        Count(isBelieved);
        _unsaid = canBeSaid ? 0 : _unsaid + 1;
    }

    /// <summary>A dry run has shown, or an attempt that reserved what this had said, whether it was all.</summary>
    public void Count(bool isRight) => _score = isRight ? Math.Min(_score + 1, ScoreMax) : Math.Max(0, _score - Miss);

    private void Test(
        CallKeys keys, IReadOnlyList<AccessSetEntry> accesses, Dictionary<ParticipantKey, KnownAccess> said)
    {
        var accessed = new Dictionary<ParticipantKey, AccessSetEntry>(accesses.Count);
        foreach (var entry in accesses) accessed[entry.Key] = entry;
        foreach (var rule in _rules)
        {
            var (isRight, says) = (true, false);
            foreach (var key in keys.All)
            {
                if (rule.Of(key) is not { } participant) continue;
                says = true;
                if (!accessed.TryGetValue(participant, out var entry)) isRight = false;
                else if (said[entry.Key].Accesses == 0) rule.NoteUpdate(entry.Updates);
                else rule.Accessed(entry.Updates, entry.Count);
            }

            if (!isRight) rule.WasWrong();
            else if (says) rule.WasRight();
        }

        _rules.RemoveAll(static rule => rule.Score < 0);
    }

    /// <summary>Adds the rules by which an access may follow from an argument.</summary>
    /// <returns>Whether there is one.</returns>
    private bool Suggest(CallKeys keys, in AccessSetEntry entry)
    {
        var any = false;
        foreach (var key in keys.All)
        {
            if (_rules.Count == RulesMax) return any;
            if (AccessRule.For(key, entry) is not { } rule || _rules.Exists(rule.IsSame)) continue;
            rule.WasRight();
            _rules.Add(rule);
            any = true;
        }

        return any;
    }

    private Dictionary<ParticipantKey, KnownAccess> Said(
        CallKeys keys, bool onlyBelieved, Dictionary<ParticipantKey, KnownAccess> said)
    {
        said.Clear();
        foreach (var rule in _rules)
        {
            if (onlyBelieved && rule.Score < _scoreToBelieve) continue;
            foreach (var key in keys.All)
            {
                if (rule.Of(key) is not { } participant) continue;
                ref var one = ref CollectionsMarshal.GetValueRefOrAddDefault(said, participant, out var isSaid);
                one = isSaid ? one.And(rule) : new KnownAccess(participant, rule.IsRow, rule.Updates, rule.Accesses);
            }
        }

        return said;
    }
}
