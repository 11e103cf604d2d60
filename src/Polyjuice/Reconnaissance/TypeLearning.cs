using Polyjuice.Policies;

namespace Polyjuice.Reconnaissance;

/// <summary>
/// What an agent learns of transaction types, in exponentially weighted shares of the latest 32 or so, and the rule by which <see cref="PolicyAdmission.Auto"/> follows from it. Of this node's own
/// transactions only. Turn only.
/// </summary>
/// <remarks>
/// To reserve pays where attempts would fail: it begins when a fifth of them do. Once reserved, they fail no longer, so what keeps it going is that reservations have to wait, one in twenty. It needs more than one state, or there is no
/// order to keep, and a body that is not too large to be run twice; and it ends when every other transaction strays from its set. A dry run alone pays where grains have to be loaded: in a quarter of the transactions.
/// </remarks>
internal sealed class TypeLearning
{
    /// <summary>Weight of the latest transaction.</summary>
    public const double Weight = 1.0 / 32;

    /// <summary>Attempts that end in a conflict, to begin to reserve.</summary>
    public const double ConflictsToReserve = 0.2;

    /// <summary>Reserved attempts that have to wait, to go on reserving.</summary>
    public const double WaitsToStay = 0.05;

    /// <summary>Reserved transactions that access what they have not reserved, not to.</summary>
    public const double MissesMax = 0.5;

    /// <summary>Transactions that load a grain, to run dry.</summary>
    public const double LoadsToRunDry = 0.25;

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
    public PolicyAdmission Choose(int typeId)
    {
        ref var type = ref Of(typeId);
        var canReserve = type.Accesses is >= AccessesMin and <= AccessesMax && type.Misses <= MissesMax;
        if (!canReserve || (type.IsReserving && type.Waits < WaitsToStay))
        {
            type.IsReserving = false;
        }
        else if (!type.IsReserving && type.Conflicts >= ConflictsToReserve)
        {
            type.IsReserving = true;
            type.Waits = 1;
            type.Conflicts = 0;
        }

        if (type.IsReserving) return PolicyAdmission.DryRunReserve;
        return type.Loads >= LoadsToRunDry && type.Accesses <= AccessesMax ? PolicyAdmission.DryRun : PolicyAdmission.Run;
    }

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
    public void NoteAttempt(int typeId, bool isConflict, int accesses, bool hasLoaded, bool isReserved)
    {
        ref var type = ref Of(typeId);
        type.Accesses += (accesses - type.Accesses) * (type.Accesses == 0 ? 1 : Weight);
        if (hasLoaded || !isReserved) Blend(ref type.Loads, hasLoaded);
        if (isReserved) return;
        Blend(ref type.Conflicts, isConflict);
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
        public bool IsReserving;
        public int KeptInARow;
    }
}
