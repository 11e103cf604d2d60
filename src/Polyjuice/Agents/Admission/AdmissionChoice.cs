using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Chooses how a transaction is let in: at once, after a dry run, or with reservations.</summary>
internal sealed class AdmissionChoice(
    EngineContext context, PathTree paths, TypeLearning learning, HotParticipants hot, TablesInForce tables,
    LearnedAccessSets learnedSets)
{
    /// <summary>How a transaction is let in. Declared read-only ones conflict with nobody.</summary>
    /// <param name="request">What may be done.</param>
    /// <param name="method">The root method.</param>
    /// <param name="isDeclared">Whether what it declares is believed: not once it has strayed from that.</param>
    public PolicyAdmission AdmissionOf(TransactionRequest request, GrainMethod method, bool isDeclared)
    {
        var table = tables.Current;
        if (!table.HasAdmissions || request.IsReadOnly) return PolicyAdmission.Run;
        var typeId = paths.Root(request.Type, method).TypeId;
        var admission = table.AdmissionOf(typeId);
        var mayRunDry = MayRunDry(request);
        if (!mayRunDry && !isDeclared)
        {
            // One that has strayed from what it declares is an exception: others of its type reserve what is hot of
            // it, and hand on the rest.
            if (admission == PolicyAdmission.Auto && request.AccessSet is null)
                learning.ChooseAtOnce(typeId, table.HandsOn);
            return PolicyAdmission.Run;
        }

        if (admission == PolicyAdmission.Auto && !isDeclared && learnedSets.Learns(request))
            admission = AdmissionOfLearned(typeId);
        if (admission == PolicyAdmission.Auto)
            admission = !isDeclared
                ? learning.Choose(typeId, context.Now, table.HandsOn)
                : hot.Any
                    ? PolicyAdmission.DeclaredReserve
                    : mayRunDry ? learning.ChooseToLoad(typeId) : PolicyAdmission.Run;
        return admission switch
        {
            PolicyAdmission.DryRunReserve when isDeclared => PolicyAdmission.DeclaredReserve,
            PolicyAdmission.DeclaredReserve when !isDeclared => PolicyAdmission.Run,
            PolicyAdmission.DryRun when !mayRunDry => PolicyAdmission.Run,
            _ => admission,
        };
    }

    /// <summary>
    /// Where the table leaves it to the silo: what is learned is as good as declared, so what is hot of it is
    /// reserved and no other way is tried; and while conflicts abort many, and it may come to be, some transactions
    /// are run dry to find out. <see cref="PolicyAdmission.Auto"/> if it is neither.
    /// </summary>
    private PolicyAdmission AdmissionOfLearned(int typeId)
    {
        var learned = learnedSets.Of(typeId);
        if (!learned.IsTrusted)
            return learning.IsContended(typeId) && learned.IsToScout() ? PolicyAdmission.DryRun : PolicyAdmission.Auto;
        learning.LeaveOff(typeId);
        return hot.Any ? PolicyAdmission.DryRunReserve : learning.ChooseToLoad(typeId);
    }

    public bool MayRunDry(TransactionRequest request) =>
        request.AllowsReconnaissance ?? context.Options.DryRunsByDefault;
}
