using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Agents;

/// <summary>
/// Chooses a table by windows of what transactions do and meet: a model (<see cref="ChoiceModel"/>) says which tables
/// are worth a trial and in which order, and a race under the load itself decides (<see cref="TableRace"/>).
/// </summary>
/// <remarks>
/// A model alone would not do: of a workload that it was not trained on its guesses are not good enough
/// (docs/reference/tables.md has the figures). A race is run when there are conflicts and the load is new, that is at
/// first and when it has shifted; and again after a while that doubles each time the race has changed nothing, then
/// among all tables: a guess or chance may have been wrong. To compare is to see how long transactions take, which is
/// the time that they were open, all together, for each that committed (Little's law). Not thread-safe.
/// </remarks>
/// <param name="model">Guesses.</param>
internal sealed class TableChoice(ChoiceModel model)
{
    /// <summary>
    /// A table that is guessed to make so much less (logarithm) than the best one is not tried in the first race, which
    /// is to be over soon. Of drawn applications that saves half of the trials, and costs 1% of the throughput.
    /// </summary>
    private const double WorthATrial = 0.15;

    /// <summary>
    /// From this share of accesses that meet others, and of attempts
    /// that conflicts abort, there is something to choose.
    /// </summary>
    private const double Contended = 0.04;

    /// <summary>
    /// By so much (logarithm) the time of transactions changes from one window to the next only if the load does.
    /// </summary>
    private const double ShiftOfTime = 0.8;

    /// <summary>
    /// The same of accesses for each attempt, which more aborts make fewer; of the share of updates; and of conflicts.
    /// </summary>
    private const double ShiftOfSize = 0.5;
    private const double ShiftOfUpdates = 0.12;
    private const double ShiftOfConflicts = 0.2;

    private const int RestMin = 128;
    private const int RestMax = 4_096;

    private TableRace? _race;
    private bool _hasRaced;
    private int _rest;
    private int _restAfter = RestMin;
    private int _settling;

    // What was seen of the load since it shifted or another table came into force.
    private float[]? _load;
    private MeanTime _time;

    /// <summary>The index of the table in force.</summary>
    public int Current { get; private set; }

    /// <summary>Why it is.</summary>
    public ChoiceReason Reason { get; private set; }

    /// <summary>Whether the last window found that the load has shifted.</summary>
    public bool HasShifted { get; private set; }

    /// <summary>Goes on from what another node has chosen.</summary>
    public void Assume(int table)
    {
        if (table == Current) return;
        (_race, _load) = (null, null);
        Enter(table, ChoiceReason.Told);
    }

    /// <summary>A window is over; says whether another table is in force from now on.</summary>
    /// <param name="window">What was counted in it, on all nodes.</param>
    /// <param name="microseconds">How long it was.</param>
    /// <param name="nodes">How many nodes there are.</param>
    public bool Note(LoadCounts window, long microseconds, int nodes)
    {
        var features = LoadFeatures.Of(window, microseconds, nodes, Current, model.Tables.Count);
        var time = MeasuredTime.Of(window[LoadCount.Commits], window[LoadCount.OpenMicroseconds]);
        HasShifted = IsShift(features, time);
        if (HasShifted)
        {
            // What is known is of another load, and this window is half of one and half of the other.
            (_race, _load, _time, _settling) = (null, null, default, 0);
            (_hasRaced, _rest, _restAfter) = (false, 0, RestMin);
            return false;
        }

        if (_settling > 0)
        {
            // What was begun under the table before ends here.
            _settling--;
            return false;
        }

        _load ??= features;
        _time.Add(time);
        if (_race is not null) return GoOn(time);
        if (--_rest > 0 || (features[2] < Contended && features[7] < Contended)) return false;
        return Begin(features);
    }

    private bool Begin(float[] features)
    {
        var guesses = model.Guess(features);
        var worth = _hasRaced ? double.MinValue : guesses.Max() - WorthATrial;
        int[] others =
        [
            .. Enumerable.Range(0, guesses.Length).Where(table => table != Current && guesses[table] >= worth)
                .OrderByDescending(table => guesses[table]),
        ];

        _hasRaced = true;
        _race = new(Current, _time.Value, others);
        return GoOn(null);
    }

    private bool GoOn(double? time)
    {
        var next = _race!.Next(time);
        if (next is { } table) return table != Current && Enter(table, ChoiceReason.Tried);
        var hasChanged = _race.Best != _race.Defender;
        var best = _race.Best;

        // What was seen of the load was seen under another table.
        (_race, _load, _time) = (null, null, default);
        (_rest, _restAfter) = hasChanged ? (RestMin, 2 * RestMin) : (_restAfter, Math.Min(2 * _restAfter, RestMax));
        return best != Current && Enter(best, ChoiceReason.Won);
    }

    private bool IsShift(float[] features, double time)
    {
        if (_load is not { } load) return false;
        if (Math.Abs(features[1] - load[1]) > ShiftOfUpdates || Math.Abs(features[0] - load[0]) > ShiftOfSize)
            return true;

        // Under another table than before, conflicts and times change of themselves.
        if (_settling > 0 || _race is not null || _time.Count == 0) return false;
        return Math.Abs(time - _time.Value) > ShiftOfTime || Math.Abs(features[2] - load[2]) > ShiftOfConflicts;
    }

    private bool Enter(int table, ChoiceReason reason)
    {
        (Current, Reason) = (table, reason);
        (_settling, _time) = (1, default);
        return true;
    }
}
