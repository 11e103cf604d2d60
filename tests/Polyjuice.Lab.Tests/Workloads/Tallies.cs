using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tests.Workloads;

/// <summary>Tallies as if clients had been told.</summary>
internal static class Tallies
{
    /// <summary>One that was told so much.</summary>
    public static Tally Told(long committed, long inDoubt = 0)
    {
        var tally = new Tally();
        tally.Book(OperationOutcome.Committed, committed);
        tally.Book(OperationOutcome.InDoubt, inDoubt);
        return tally;
    }
}
