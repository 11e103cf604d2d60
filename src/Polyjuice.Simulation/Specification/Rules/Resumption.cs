using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// Resumption: a body that runs again is served from its record only
/// what it was served before, and what no validation has refuted since.
/// </summary>
internal static class Resumption
{
    /// <summary>It holds, as far as is known.</summary>
    public static void Check(TransactionModel transaction, in AccessServedAgain e)
    {
        if (!transaction.Served.Contains((e.Number, e.Key)))
            throw Rejected.By("resumption", e.ToString(), "the access does not hold any more, or there was none");
    }
}
