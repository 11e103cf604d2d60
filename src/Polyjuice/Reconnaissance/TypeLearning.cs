using Polyjuice.Execution;
using Polyjuice.Policies;

namespace Polyjuice.Reconnaissance;

/// <summary>
/// What an agent learns of transaction types, in exponentially weighted shares of the latest 32 or so, and the rule by which <see cref="PolicyAdmission.Auto"/> follows from it. Of this node's own
/// transactions only. Turn only.
/// </summary>
/// <remarks>
/// To reserve may pay where attempts fail: when a fifth of them do, it is tried, and kept if more transactions commit (<see cref="AdmissionTrial"/>). Once reserved, they fail no longer; but where hardly a reservation has to wait, one in
/// twenty, there is nothing to reserve for. It needs more than one state, or there is no order to keep, and a body that is not too large to be run twice; and it ends when every other transaction strays from its set. A dry run alone pays
/// where grains have to be loaded: in a quarter of the transactions.
/// </remarks>
internal sealed class TypeLearning
{
    /// <summary>Weight of the latest transaction.</summary>
    public const double Weight = 1.0 / 32;

    /// <summary>Attempts that end in a conflict, to try whether to reserve is better.</summary>
    public const double ConflictsToReserve = 0.2;

    /// <summary>Reserved attempts that have to wait, to go on reserving.</summary>
    public const double WaitsToStay = 0.05;

    /// <summary>Reserved transactions that access what they have not reserved, not to.</summary>
    public const double MissesMax = 0.5;

    /// <summary>Transactions that load a grain, to run dry.</summary>
    public const double LoadsToRunDry = 0.25;

    /// <summary>
    /// Transactions that load a grain, to have grains activated before something hot is reserved: one in fifty. That costs each of them a message and its answer; to activate a grain while others wait costs a hundred times that and more. So after one that did, some
    /// fifteen have nothing to activate before it is given up again.
    /// </summary>
    public const double LoadsToActivate = 0.02;

    /// <summary>Accesses of a transaction, on average, to reserve.</summary>
    public const double AccessesMin = 1.5;

    /// <summary>The same, at the most, to run a body twice.</summary>
    public const double AccessesMax = 256;

    /// <summary>What keeps a type from reserving is forgotten this slowly, so that it is tried again.</summary>
    private const double MissesDecay = 1 - (1.0 / 512);

    private Shares[] _byType = [];

    /// <summary>The share of a type's reserved transactions that accessed what they had not reserved.</summary>
    public double AccessSetMisses(int typeId) => (uint)typeId < (uint)_byType.Length ? _byType[typeId].Misses : 0;

    /// <summary>How a type's next transaction is let in where the table leaves it to the silo.</summary>
    /// <param name="typeId">The type.</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    public PolicyAdmission Choose(int typeId, long now)
    {
        ref var type = ref Of(typeId);
        var canReserve = type.Accesses is >= AccessesMin and <= AccessesMax && type.Misses <= MissesMax;
        if (!canReserve || (type.Trial is { IsReserving: true } && type.Waits < WaitsToStay)) type.Trial = null;
        else if (type.Conflicts >= ConflictsToReserve) type.Trial ??= new AdmissionTrial(now);
        if (type.Trial is { IsReserving: true }) return PolicyAdmission.DryRunReserve;
        return ChooseToLoad(typeId);
    }

    /// <summary>The same for a type whose transactions declare what they access: what they reserve is what is hot (<see cref="HotParticipants"/>), so a dry run is for what has to be loaded only.</summary>
    public PolicyAdmission ChooseToLoad(int typeId)
    {
        ref var type = ref Of(typeId);
        return type.Loads >= LoadsToRunDry && type.Accesses <= AccessesMax ? PolicyAdmission.DryRun : PolicyAdmission.Run;
    }

    /// <summary>Whether a type's next transaction has its grains activated before it reserves a part of what it declares. Of what is not reserved nobody sees before it is accessed that it is not active.</summary>
    public bool HasToLoad(int typeId) => Of(typeId).Loads >= LoadsToActivate;

    /// <summary>Grains were activated before reserving, as far as any had to be.</summary>
    public void NoteLoading(int typeId, bool hasLoaded) => Blend(ref Of(typeId).Loads, hasLoaded);

    /// <summary>A dry run is over.</summary>
    public void NoteDryRun(int typeId, bool hasLoaded) => Blend(ref Of(typeId).Loads, hasLoaded);

    /// <summary>An attempt has its reservations.</summary>
    public void NoteReservation(int typeId, bool hasWaited) => Blend(ref Of(typeId).Waits, hasWaited);

    /// <summary>A reserved transaction has committed, or given up for what it had not reserved.</summary>
    public void NoteAccessSet(int typeId, bool differs)
    {
        ref var type = ref Of(typeId);
        Blend(ref type.Misses, differs);
        type.KeptInARow = differs ? 0 : Math.Min(type.KeptInARow + 1, int.MaxValue - 1);
    }

    /// <summary>A reserved attempt has ended by its own doing when others had built on what it had handed on: they end with it.</summary>
    public void NoteBroken(int typeId) => Of(typeId).KeptInARow = 0;

    /// <summary>How many reserved transactions of a type, the latest ones, have kept to their sets and let down nobody to whom they had handed on.</summary>
    public int KeptInARow(int typeId) => (uint)typeId < (uint)_byType.Length ? _byType[typeId].KeptInARow : 0;

    /// <summary>An attempt is over.</summary>
    /// <param name="typeId">Of this type.</param>
    /// <param name="reason">Why it was aborted, or <see cref="AbortReason.None"/>.</param>
    /// <param name="accesses">How many accesses it had made.</param>
    /// <param name="hasLoaded">Whether it was the first to access some state.</param>
    /// <param name="isReserved">Whether it had reserved.</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    public void NoteAttempt(int typeId, AbortReason reason, int accesses, bool hasLoaded, bool isReserved, long now)
    {
        ref var type = ref Of(typeId);
        if (type.Trial?.Ended(reason == AbortReason.None, type.Conflicts >= ConflictsToReserve, now) == true)
        {
            type.Waits = 1;
            type.Conflicts = 0;
        }

        type.Accesses += (accesses - type.Accesses) * (type.Accesses == 0 ? 1 : Weight);
        if (hasLoaded || !isReserved) Blend(ref type.Loads, hasLoaded);
        if (isReserved) return;
        Blend(ref type.Conflicts, reason.IsConflict());
        type.Misses *= MissesDecay;
    }

    private ref Shares Of(int typeId)
    {
        if (typeId >= _byType.Length) Array.Resize(ref _byType, (typeId + 1) * 2);
        return ref _byType[typeId];
    }

    private static void Blend(ref double share, bool isSo) => share += ((isSo ? 1 : 0) - share) * Weight;

    private struct Shares
    {
        public double Misses;
        public double Conflicts;
        public double Waits;
        public double Loads;
        public double Accesses;
        public AdmissionTrial? Trial;
        public int KeptInARow;
    }
}
