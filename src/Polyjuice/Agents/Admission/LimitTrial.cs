namespace Polyjuice.Agents;

/// <summary>
/// Compares two limits in four windows: present, candidate, candidate, present, so that what changes steadily meanwhile
/// is the same for both.
/// </summary>
/// <param name="present">The limit in force before.</param>
/// <param name="candidate">The other one.</param>
/// <param name="rate">Of the first window, under the present limit (<see cref="LoadWindow.RateAt"/>).</param>
internal sealed class LimitTrial(int present, int candidate, double rate)
{
    private double _present = rate;
    private double _candidate;
    private int _windows = 1;

    public int Present => present;

    public int Candidate => candidate;

    /// <summary>
    /// The rate under the present limit, while the candidate is tried; otherwise nothing compares with it.
    /// </summary>
    public double RateToReach => _windows < 3 ? _present : 0;

    /// <summary>The candidate's rate for each of the present limit's; 1 where nothing commits under either.</summary>
    public double Gain => (_candidate + 1) / (_present + 1);

    /// <summary>A window has ended; gives the limit for the next one.</summary>
    /// <param name="rate">Of it.</param>
    /// <param name="isOver">Whether it was the last.</param>
    public int Next(double rate, out bool isOver)
    {
        if (_windows < 3) _candidate += rate;
        else _present += rate;
        _windows++;
        isOver = _windows == 4;
        return _windows < 3 ? candidate : present;
    }
}
