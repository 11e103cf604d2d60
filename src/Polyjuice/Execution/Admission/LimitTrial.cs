namespace Polyjuice.Execution;

/// <summary>Compares two limits in four windows: present, candidate, candidate, present, so that what changes steadily meanwhile is the same for both.</summary>
/// <param name="present">The limit in force before.</param>
/// <param name="candidate">The other one.</param>
/// <param name="rate">Commits a second in the first window, under the present limit.</param>
internal sealed class LimitTrial(int present, int candidate, double rate)
{
    private double _present = rate;
    private double _candidate;
    private int _windows = 1;

    public int Present => present;

    public int Candidate => candidate;

    /// <summary>Commits under the candidate for each under the present limit.</summary>
    public double Gain => _candidate / Math.Max(_present, double.Epsilon);

    /// <summary>A window has ended; gives the limit for the next one.</summary>
    /// <param name="rate">Commits a second in it.</param>
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
