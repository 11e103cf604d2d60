using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Access sets that are learned from dry runs, where what a transaction accesses follows from the call that starts
/// it.
/// </summary>
internal sealed class LearnedAccessSets(EngineContext context, TypeLearning learning)
{
    public LearnedAccesses Of(int typeId) => learning.LearnedOf(typeId, context.Options.AccessSetsToTrust);

    public bool Learns(TransactionRequest request) => context.Options.LearnsAccessSets && request.CallKeys is not null;

    /// <summary>A dry run has ended.</summary>
    public void Learn(LocalTransaction dry, ICallKeys calls, ITransactionBody body)
    {
        var run = dry.DryRun!;
        if (!run.IsWhole || run.Accesses.IsFull) return;
        var learned = Of(dry.TypeId);
        if (learned.TakesInterest()) learned.Learn(calls.Of(body), run.Accesses.Entries);
    }
}
