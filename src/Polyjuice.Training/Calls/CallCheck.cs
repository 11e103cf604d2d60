namespace Polyjuice.Training.Calls;

/// <summary>Which of a trace's calls can be made on a target. Immutable.</summary>
/// <param name="Recorded">Transactions of the trace.</param>
/// <param name="NotMade">
/// What can't be made, and why: the method's name and what is wrong with it, with how many there are.
/// </param>
internal sealed record CallCheck(int Recorded, IReadOnlyDictionary<string, int> NotMade)
{
    /// <summary>How many can't be made.</summary>
    public int LeftOut => NotMade.Values.Sum();

    /// <summary>The share that can't be made; 1 if there is nothing at all.</summary>
    public double LeftOutShare => Recorded == 0 ? 1 : (double)LeftOut / Recorded;
}
