using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>R3: who reads or builds upon an undecided version depends on its writer.</summary>
internal static class R3Dependencies
{
    private const string Rule = "R3";

    /// <summary>All writers that are undecided are dependencies.</summary>
    public static void Check(OwnerModel owner, in TransactionOrdered e)
    {
        foreach (var access in e.Accesses)
        {
            var writer = access.Read.Transaction;
            if (writer == default || writer == e.Id
                || owner.Find(writer) is not { Status: BranchStatus.Ordered } branch)
                continue;
            if (Array.IndexOf(e.Dependencies, writer) < 0)
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"it has read or built upon a version of {writer}, which is undecided: {branch}");
        }
    }
}
