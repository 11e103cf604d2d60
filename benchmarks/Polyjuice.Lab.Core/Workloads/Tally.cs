using System.Globalization;
namespace Polyjuice.Lab.Workloads;

/// <summary>
/// What clients were told of something that only grows: of how many, or of how
/// much, they know, and of how much on top they do not. Used on one thread.
/// </summary>
public sealed class Tally
{
    /// <summary>Acknowledged.</summary>
    public long Committed { get; private set; }

    /// <summary>Of unknown outcome.</summary>
    public long InDoubt { get; private set; }

    /// <summary>Books an operation by its outcome.</summary>
    /// <param name="outcome">What became of it.</param>
    /// <param name="amount">How much it would have added; not negative.</param>
    public void Book(OperationOutcome outcome, long amount = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(amount);
        if (outcome == OperationOutcome.Committed) Committed += amount;
        else if (outcome == OperationOutcome.InDoubt) InDoubt += amount;
    }

    /// <summary>What several were told together.</summary>
    public static Tally Sum(IEnumerable<Tally> tallies)
    {
        var sum = new Tally();
        foreach (var tally in tallies)
        {
            sum.Committed += tally.Committed;
            sum.InDoubt += tally.InDoubt;
        }

        return sum;
    }

    /// <summary>Whether that can be what there is; otherwise says in a sentence's part what is wrong.</summary>
    /// <param name="what">What was counted.</param>
    /// <param name="found">How much there is.</param>
    /// <param name="wrong">Gets the part.</param>
    public void Compare(string what, long found, ICollection<string> wrong)
    {
        ArgumentNullException.ThrowIfNull(wrong);
        if (found < Committed || found > Committed + InDoubt)
            wrong.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{what}: {found:N0}, but clients were told of "
                    + $"{Committed:N0}{(InDoubt > 0 ? FormattableString.Invariant($", and {InDoubt:N0} are in doubt") : "")}"));
    }
}
