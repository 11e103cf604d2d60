namespace Polyjuice.Agents;

/// <summary>
/// What one silo knows of the conflicts of one transaction type. A mutable
/// struct in an array: one for every type, looked at by every attempt.
/// </summary>
internal struct TypeConflicts
{
    private const int Window = 64;

    private int _ended;
    private int _conflicts;
    private double _share;

    /// <summary>Attempts that run, from their start until they are sealed or aborted.</summary>
    public int Running;

    /// <summary>
    /// Whether its attempts reserve: what they do says nothing about
    /// others that do not, and the limit does not concern them.
    /// </summary>
    public bool IsExempt;

    private bool _isContended;

    /// <summary>Whether conflicts abort enough of its attempts for the limit to concern it.</summary>
    public bool IsContended
    {
        readonly get => _isContended && !IsExempt;
        set => _isContended = value;
    }

    /// <summary>An attempt has ended; says whether <see cref="IsContended"/> has changed.</summary>
    /// <param name="isConflict">It was aborted by a conflict.</param>
    /// <param name="target">The share of attempts that may be.</param>
    /// <param name="mayBeReleased">Whether that few are aborted can't be due to the limit.</param>
    public bool Ended(bool isConflict, double target, bool mayBeReleased)
    {
        _ended++;
        if (isConflict) _conflicts++;
        if (_ended < Window) return false;
        _share = (_share + ((double)_conflicts / _ended)) / 2;
        _ended = _conflicts = 0;
        var was = IsContended;
        IsContended = _share > (was ? target / 8 : target / 2) || (was && !mayBeReleased);
        return was != IsContended;
    }
}
