using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>R1a: a version is (attempt, write number): each update makes another one.</summary>
internal static class R1aIdentity
{
    private const string Rule = "R1a";

    /// <summary>A new version has a name of its own.</summary>
    public static void Check(OwnerModel owner, in VersionWritten e)
    {
        if (e.Version.Transaction != e.Id)
            throw Rejected.By(Rule, e.ToString(), $"the version is named after {e.Version.Transaction}");
        if (owner.Made.Contains(e.Version))
            throw Rejected.By(
                Rule,
                e.ToString(),
                "there has been a version of that name: who read it has read another one than who reads this");
    }
}
