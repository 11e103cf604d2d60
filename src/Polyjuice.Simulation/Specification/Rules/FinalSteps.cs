using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// A final step is taken once, when nothing else can stop the commit any more: all have voted, and what they depend on
/// has committed. What it refuses does not commit, what it agrees to does, and before it has answered nobody decides;
/// unless its manager is lost.
/// </summary>
internal static class FinalSteps
{
    private const string Rule = "final step";

    /// <summary>Nothing else is open.</summary>
    public static void Check(SpecificationState state, TransactionModel transaction, in FinalStepTaken e)
    {
        if (transaction.FinalStep is { } step) throw Rejected.By(Rule, e.ToString(), $"it was taken before: {step}");
        if (transaction.IsAbortSaid)
            throw Rejected.By(Rule, e.ToString(), $"it was said to have aborted: {transaction}");
        if (transaction.Parts.Length == 1) return;
        foreach (var part in transaction.Parts)
        {
            if (!transaction.Votes.Exists(vote => vote.Partition == part.Partition))
                throw Rejected.By(Rule, e.ToString(), $"partition {part.Partition} has not voted: {transaction}");
        }

        var round = transaction.Votes.Max(static vote => vote.Round);
        foreach (var vote in transaction.Votes)
        {
            if (vote.Round != round) continue;
            foreach (var dependency in vote.Dependencies)
            {
                if (!state.HasCommitted(dependency.Transaction))
                    throw Rejected.By(
                        Rule, e.ToString(), $"it depends on {dependency.Transaction}, which may abort: {transaction}");
            }
        }
    }

    /// <summary>Who has a final step commits when that has agreed.</summary>
    public static void CheckRecord(TransactionModel transaction, string? happened)
    {
        if (!transaction.HasFinalStep || transaction.FinalStep is { Agrees: true }) return;
        throw Rejected.By(
            Rule,
            happened,
            transaction.FinalStep is { } step
                ? $"the service has {(step.Agrees is null ? "not answered yet" : "refused")}: {step}"
                : "the service was not asked");
    }

    /// <summary>Its manager aborts only what the service has refused.</summary>
    public static void CheckAbort(OwnerModel owner, TransactionModel transaction, string? happened)
    {
        if (transaction.FinalStep is not { Agrees: not false } step || step.Taken.Node != owner.Node
            || step.Taken.Partition != owner.Partition || step.Taken.Epoch != owner.Epoch)
            return;
        throw Rejected.By(
            Rule, happened, $"the service has {(step.Agrees is null ? "not answered yet" : "agreed")}: {step}");
    }
}
