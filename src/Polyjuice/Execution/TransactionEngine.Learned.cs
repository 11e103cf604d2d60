using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Access sets that are learned: in the place of a dry run, where what a transaction accesses follows from the call that starts it.
internal sealed partial class TransactionEngine
{
    private LearnedAccesses LearnedOf(int typeId) => Learning.LearnedOf(typeId, Context.Options.AccessSetsToTrust);

    private bool Learns(TransactionRequest request) => Context.Options.LearnsAccessSets && request.CallKeys is not null;

    /// <summary>
    /// Where the table leaves it to the silo: what is learned is as good as declared, so what is hot of it is reserved and no other way is tried; and while conflicts abort many, and it may come to be, some transactions are run dry to find out.
    /// <see cref="PolicyAdmission.Auto"/> if it is neither.
    /// </summary>
    private PolicyAdmission AdmissionOfLearned(int typeId)
    {
        var learned = LearnedOf(typeId);
        if (!learned.IsTrusted) return Learning.IsContended(typeId) && learned.IsToScout() ? PolicyAdmission.DryRun : PolicyAdmission.Auto;
        Learning.LeaveOff(typeId);
        return Hot.Any ? PolicyAdmission.DryRunReserve : Learning.ChooseToLoad(typeId);
    }

    /// <summary>Plans what a transaction is going to access, as others of its type did; where the table leaves it to the silo, what is hot of that.</summary>
    /// <param name="request">The transaction.</param>
    /// <param name="typeId">Its type.</param>
    /// <param name="body">Its body.</param>
    /// <param name="earlier">An attempt before.</param>
    /// <param name="plan">What is reserved, if anything.</param>
    /// <param name="grains">What is activated before, if anything.</param>
    /// <param name="isToCheck">Whether a dry run is to show whether all is as it was, which reserves what was learned all the same.</param>
    /// <returns>Whether that is known: not if it has strayed before.</returns>
    private bool TryPlanLearned(TransactionRequest request, int typeId, ITransactionBody body, LocalTransaction? earlier, out ReservationPlan? plan, out ReservationPlan? grains, out bool isToCheck)
    {
        (plan, grains, isToCheck) = (null, null, false);
        if (!Learns(request) || earlier?.Reservations is { Strays: > 0 }) return false;
        var learned = LearnedOf(typeId);
        if (!learned.IsTrusted || request.CallKeys!.Of(body) is not { IsFull: false } keys) return false;
        learned.Say(keys, _known);
        if (_known.Count is 0 or >= AccessSet.EntriesMax) return false;
        plan = PlanOf(request.Type, typeId, _known, isHotOnly: Tables.IsChosenHere(typeId), isLearned: true);
        grains = GrainsToLoad(_known, plan, typeId);
        isToCheck = learned.IsToCheck();
        if (!isToCheck) Context.Statistics.LearnedAccessSets++;
        return true;
    }

    private ReservationPlan? HotPlanOfLearned(TransactionRequest request, int typeId, ITransactionBody body)
    {
        LearnedOf(typeId).Say(request.CallKeys!.Of(body), _known);
        return PlanOf(request.Type, typeId, _known, isHotOnly: true, isLearned: true);
    }

    /// <summary>A dry run has ended.</summary>
    private void LearnFrom(LocalTransaction dry, ICallKeys calls, ITransactionBody body)
    {
        if (!dry.DryRun!.IsWhole || dry.DryRun.Accesses.IsFull) return;
        var learned = LearnedOf(dry.TypeId);
        if (learned.TakesInterest()) learned.Learn(calls.Of(body), dry.DryRun.Accesses.Entries);
    }

    private void NoteAccessSet(LocalTransaction transaction, ReservationPlan plan, bool differs)
    {
        Learning.NoteAccessSet(transaction.TypeId, differs);

        // Of a part, nobody sees what is lacking.
        if (plan is { IsLearned: true, IsPartial: false }) LearnedOf(transaction.TypeId).Count(isRight: !differs);
    }
}
