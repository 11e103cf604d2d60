namespace Polyjuice.Agents;

/// <summary>
/// In which of three ways (<see cref="AdmissionArm"/>) the transactions of one type take the least time, found out by
/// trying: the one in force is compared with the others, and the best one is kept until the next comparison. Those
/// become rare while nothing changes. Turn only.
/// </summary>
/// <remarks>
/// <para>
/// A bandit of three arms whose rewards drift. What is compared is <see cref="MeasuredTime"/>, not a share of
/// conflicts: where attempts are cheap and how many run at a time is bounded (<see cref="Agents.ConflictLimit"/>), a
/// third of them may fail and still less is lost than by running them twice. Arms are changed for whole periods,
/// because transactions of one interfere with those of the other, and periods grow, so that what all comparisons
/// together cost grows with the logarithm of time (UCB2: Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the
/// multiarmed bandit problem", Machine Learning 2002). A comparison is a race that drops an arm as soon as it is clear
/// that it loses (Maron and Moore, "Hoeffding races", NIPS 1993), and goes on from the best so far to the next one. An
/// arm that has lost rests the longer, the more that has cost, and the longer each time: like the pulls of a bandit's
/// arm, comparisons with one that is far behind are fewer (Lai and Robbins, "Asymptotically efficient adaptive
/// allocation rules", Advances in Applied Mathematics 1985).
/// </para>
/// <para>What was begun in one period ends in the next one: so its first windows do not count, in each of which at
/// least as many commit as are open.</para>
/// </remarks>
/// <param name="now">On the host's clock, in microseconds.</param>
internal sealed class AdmissionTrial(long now)
{
    /// <summary>Commits of a window, at least; and as many as transactions are open, on average.</summary>
    public const int WindowCommits = 32;

    /// <summary>
    /// A window takes so long at the least, in microseconds: others are heard of every five milliseconds.
    /// </summary>
    public const long WindowMicrosecondsMin = 8_000;

    /// <summary>The same, at the most.</summary>
    public const long WindowMicrosecondsMax = 200_000;

    /// <summary>
    /// Where windows take so long and longer, in microseconds, storage or messages are what is waited for, and not
    /// processors. There a race of three would take long, and to reserve was never measured to be worse than
    /// <see cref="AdmissionArm.KeepWrites"/>: so where that is open to them, this is not tried.
    /// </summary>
    public const long SlowWindowMicroseconds = 24_000;

    /// <summary>Windows after a change that do not count: what was begun before ends in them.</summary>
    public const int SettleReserving = 2;

    /// <summary>
    /// The same without reservations, and at first: how many may run at
    /// a time has to be found out (<see cref="Agents.ConflictLimit"/>).
    /// </summary>
    public const int SettleRunning = 8;

    /// <summary>Windows that have to be measured before anything else is tried.</summary>
    public const int WindowsBefore = 8;

    /// <summary>
    /// Where windows are long, so many of them keep what is worse in force for most of a second. There the windows
    /// after a change that do not count, and those before anything is tried, are as few as fill this time, in
    /// microseconds: <see cref="WindowsMin"/> at the least.
    /// </summary>
    public const long PatienceMicroseconds = 96_000;

    /// <summary>Windows that have to be measured of an arm before it is dropped.</summary>
    public const int WindowsMin = 3;

    /// <summary>Windows that are measured of an arm that is tried, at the most.</summary>
    public const int WindowsMax = 16;

    /// <summary>
    /// Windows for which an arm rests after it has lost, at least,
    /// at first; twice as many each time that it loses again.
    /// </summary>
    public const int RestMin = 32;

    /// <summary>The same, at the most.</summary>
    public const int RestMax = 4_096;

    /// <summary>
    /// What trying an arm has cost, compared with what was in force instead, is no larger a share than this of all that
    /// commits until it is tried again, within the bounds of rests.
    /// </summary>
    public const double CostMax = 0.02;

    /// <summary>What is tried is kept if transactions take so many times less.</summary>
    public const double Gain = 1.05;

    /// <summary>
    /// What is in force is compared again, before its time, when its transactions
    /// take so many times more or less than they did when it was chosen.
    /// </summary>
    public const double Change = 1.5;

    /// <summary>
    /// Standard deviations from <see cref="Gain"/> that drop an arm before its time, if there were many windows.
    /// </summary>
    private const double Deviations = 2;

    /// <summary>
    /// In which order arms are tried. To hand on loses most where it loses,
    /// because whoever built on what is aborted goes with it: so it comes last.
    /// </summary>
    private static readonly AdmissionArm[] _order =
    [
        AdmissionArm.KeepWrites, AdmissionArm.Reserve, AdmissionArm.HandOn
    ];

    private readonly int[] _rest = [0, 0, 0];
    private readonly int[] _restAfter = [RestMin, RestMin, RestMin];

    private MeasuredTime _present;
    private double _chosenAt;
    private long _start = now;
    private long _noted = now;
    private long _commits;
    private long _openTime;

    // Windows since what is in force was chosen, or since then and after settling; and when they began.
    private bool _isSettling = true;
    private int _windows;
    private long _since = now;

    // While arms are compared: the best so far, and those that are still to be tried, as bits.
    private bool _isComparing;
    private AdmissionArm _best;
    private MeasuredTime _bestTime;
    private double _bestWindow;
    private int _left;

    // What has been lost by trying the arm that is or was tried last, in windows
    // of what was the best then; until what is in force after that has settled.
    private AdmissionArm? _paying;
    private double _lost;

    /// <summary>How transactions are let in now.</summary>
    public AdmissionArm Arm { get; private set; }

    /// <summary>Whether nothing has been tried yet.</summary>
    public bool IsNew { get; private set; } = true;

    /// <summary>
    /// Lets them in this way from now on without a comparison, which comes later: for where nothing is known yet
    /// (<see cref="IsNew"/>), and as much speaks for it.
    /// </summary>
    public void Assume(AdmissionArm arm)
    {
        if (!IsNew) throw new InvalidOperationException("What has been compared is not assumed.");
        Switch(arm);
        Array.Fill(_rest, RestMin);
    }

    /// <summary>What was known is in doubt: compares as soon as it can.</summary>
    public void Doubt()
    {
        Array.Fill(_restAfter, RestMin);
        if (!_isComparing) Array.Clear(_rest);
    }

    /// <summary>Transactions have committed, or time has passed without.</summary>
    /// <param name="commits">How many, since this was called last.</param>
    /// <param name="openTime">
    /// For how long transactions were open since then, all of them together, in microseconds.
    /// </param>
    /// <param name="isContended">
    /// Whether transactions that run at once meet conflicts enough for anything else than
    /// <see cref="AdmissionArm.HandOn"/> to gain by.
    /// </param>
    /// <param name="handsOn">
    /// Whether the table's rows expose what was written; otherwise <see cref="AdmissionArm.KeepWrites"/> is nothing
    /// else than <see cref="AdmissionArm.HandOn"/>.
    /// </param>
    /// <param name="mayReserve">
    /// Whether they may be run dry, and so reserve. Otherwise to keep writes
    /// is all there is to try, and is tried however long windows take.
    /// </param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    /// <returns>Whether <see cref="Arm"/> has changed.</returns>
    public bool Note(long commits, long openTime, bool isContended, bool handsOn, bool mayReserve, long now)
    {
        // Time in which nothing was open says nothing of how long anything takes.
        var idle = Math.Max(0, now - _noted - openTime);
        (_start, _since, _noted) = (_start + idle, _since + idle, now);
        (_commits, _openTime) = (_commits + commits, _openTime + openTime);
        var elapsed = now - _start;
        if (elapsed < WindowMicrosecondsMin
            || (elapsed < WindowMicrosecondsMax && _commits < Math.Max(WindowCommits, _openTime / elapsed)))
            return false;
        (commits, openTime) = (_commits, _openTime);
        (_commits, _openTime, _start) = (0, 0, now);
        _windows++;
        var time = MeasuredTime.Of(commits, openTime);
        if (_isComparing || _paying is not null) _lost += (1 - Math.Exp(_bestTime.Mean - time)) * elapsed / _bestWindow;
        if (_isSettling)
        {
            if (!HasSeen(Settle(Arm))) return false;
            (_isSettling, _windows, _since) = (false, 0, now);
            if (!_isComparing) Pay();
            return false;
        }

        _present.Add(time);
        if (_isComparing) return Compare();
        Rest();
        if (!HasSeen(WindowsBefore)) return false;
        _left = WorthTrying(isContended, handsOn && (elapsed < SlowWindowMicroseconds || !mayReserve), mayReserve);
        if (_left == 0) return false;
        (_isComparing, _best, _bestTime, _bestWindow) = (true, Arm, _present, WindowNow);
        TryNext();
        return true;
    }

    private void Rest()
    {
        var rests = false;
        for (var arm = 0; arm < _rest.Length; arm++)
        {
            if (_rest[arm] == 0) continue;
            _rest[arm]--;
            rests = true;
        }

        if (_windows == WindowsMax) _chosenAt = _present.Mean;
        else if (rests && _windows > WindowsMax
            && Math.Abs(_present.Mean - _chosenAt) > Math.Log(Change)
                + (Deviations * Math.Sqrt(_present.VarianceOfMean)))
            Doubt();
    }

    /// <summary>
    /// The arms to be tried in place of the one in force: those that have rested,
    /// and without conflicts none but the one that does the least about them.
    /// </summary>
    private int WorthTrying(bool isContended, bool triesKeeping, bool triesReserving)
    {
        // Who has reserved meets no conflicts, whatever there would be without.
        var triesAll = isContended || Arm == AdmissionArm.Reserve;
        var arms = 0;
        foreach (var arm in _order)
        {
            var isOpen = arm switch
            {
                AdmissionArm.KeepWrites => triesAll && triesKeeping,
                AdmissionArm.Reserve => triesAll && triesReserving,
                _ => true
            };
            if (_rest[(int)arm] == 0 && arm != Arm && isOpen) arms |= 1 << (int)arm;
        }

        return arms;
    }

    private void TryNext()
    {
        var next = Array.Find(_order, arm => (_left & (1 << (int)arm)) != 0);
        _left &= ~(1 << (int)next);
        Switch(next);
    }

    private bool Compare()
    {
        var gain = _bestTime.Mean - _present.Mean - Math.Log(Gain);
        if (_windows < WindowsMin
            || (_windows < WindowsMax
                && Math.Abs(
                    gain) <= DeviationsOf(_windows) * Math.Sqrt(_present.VarianceOfMean + _bestTime.VarianceOfMean)))
            return false;
        if (gain > 0)
        {
            // What was known of any arm is old. To try what was the best again
            // will take the fewest windows, if it is as far behind as now.
            Array.Fill(_restAfter, RestMin);
            PutToRest(_best, (Settle(_best) + WindowsMin) * (Math.Exp(_bestTime.Mean - _present.Mean) - 1));
            (_best, _bestTime, _bestWindow, _paying) = (Arm, _present, WindowNow, null);
        }
        else
        {
            PutToRest(Arm, _lost);
            (_restAfter[(int)Arm], _paying) = (Math.Min(2 * _rest[(int)Arm], RestMax), Arm);
        }

        _lost = 0;
        if (_left != 0)
        {
            TryNext();
            return true;
        }

        _isComparing = false;
        if (Arm != _best)
        {
            Switch(_best);
            return true;
        }

        (_windows, _since) = (0, _start);
        return false;
    }

    /// <summary>Whether there were so many windows, or fewer that took long. At the end of a window.</summary>
    private bool HasSeen(int windows) =>
        _windows >= windows || (_windows >= WindowsMin && _start - _since >= PatienceMicroseconds);

    /// <summary>
    /// A variance that a few windows show says less than one of many: about as many deviations as in Student's
    /// distribution, 4 of three windows and 2.3 of sixteen.
    /// </summary>
    private static double DeviationsOf(int windows) => Deviations * (1 + (2.0 / (windows - 1)));

    /// <summary>
    /// An arm has lost, and is not tried again before what that has cost is a small share of all since.
    /// </summary>
    /// <param name="arm">Which.</param>
    /// <param name="lost">In windows.</param>
    private void PutToRest(AdmissionArm arm, double lost) =>
        _rest[(int)arm] = (int)Math.Clamp(lost / CostMax, _restAfter[(int)arm], RestMax);

    /// <summary>
    /// What is in force after a comparison has settled: what that
    /// has cost is the cost of the arm that was tried last, too.
    /// </summary>
    private void Pay()
    {
        if (_paying is { } arm && _lost > 0)
            _rest[(int)arm] = (int)Math.Min(_rest[(int)arm] + (_lost / CostMax), RestMax);
        (_paying, _lost) = (null, 0);
    }

    /// <summary>
    /// How long a window of what is in force takes, in microseconds. At the end of one that is measured.
    /// </summary>
    private double WindowNow => (double)(_start - _since) / _windows;

    private static int Settle(AdmissionArm arm) => arm == AdmissionArm.Reserve ? SettleReserving : SettleRunning;

    private void Switch(AdmissionArm arm)
    {
        Arm = arm;
        IsNew = false;
        _present = default;
        (_isSettling, _windows, _since) = (true, 0, _start);
    }
}
