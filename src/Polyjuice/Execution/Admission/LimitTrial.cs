namespace Polyjuice.Execution;

/// <summary>Compares two limits in four windows: present, candidate, candidate, present, so that what changes steadily meanwhile is the same for both.</summary>
/// <param name="present">The limit in force before.</param>
/// <param name="candidate">The other one.</param>
/// <param name="worth">Of the first window, under the present limit (<see cref="LoadWindow.WorthAt"/>).</param>
internal sealed class LimitTrial(int present, int candidate, double worth)
{
    private double _present = worth;
    private double _candidate;
    private int _windows = 1;

    public int Present => present;

    public int Candidate => candidate;

    /// <summary>The candidate's worth for each of the present limit's.</summary>
    public double Gain => _candidate / Math.Max(_present, double.Epsilon);

    /// <summary>A window has ended; gives the limit for the next one.</summary>
    /// <param name="worth">Of it.</param>
    /// <param name="isOver">Whether it was the last.</param>
    public int Next(double worth, out bool isOver)
    {
        if (_windows < 3) _candidate += worth;
        else _present += worth;
        _windows++;
        isOver = _windows == 4;
        return _windows < 3 ? candidate : present;
    }
}
