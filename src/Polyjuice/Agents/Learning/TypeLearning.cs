using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;

namespace Polyjuice.Agents;

/// <summary>
/// What an agent learns of transaction types, in exponentially weighted shares of the latest 32 or so, and the rule by
/// which <see cref="PolicyAdmission.Auto"/> follows from it. Of this node's own transactions; whether to reserve, or
/// else to keep writes private, one node decides for all (<see cref="AgreedAdmission"/>). Turn only.
/// </summary>
/// <remarks>
/// To reserve may pay where attempts fail, and so may to keep what is written private: when a fifth of them do, both
/// are tried, and kept if transactions take less time that way (<see cref="AdmissionTrial"/>); to reserve at once,
/// without a comparison first, where they are run dry in any case. Once reserved, they fail no longer; but where hardly
/// a reservation has to wait, one in twenty, there may be nothing left to reserve for, and that is compared at once. It
/// needs more than one state, or there is no order to keep, and a body that is not too large to be run twice; and it
/// ends when every other transaction strays from its set. A dry run alone pays where grains have to be loaded, in a
/// quarter of the transactions, and others wait meanwhile: when one attempt in twenty fails. Types that must not be run
/// dry have the choice of keeping their writes private.
/// </remarks>
internal sealed class TypeLearning
{
    /// <summary>Weight of the latest transaction.</summary>
    public const double Weight = 1.0 / 32;

    /// <summary>Attempts that end in a conflict, to try whether another way is better.</summary>
    public const double ConflictsToReserve = 0.2;

    /// <summary>Reserved attempts that find everything free, to doubt that there is anything to reserve for.</summary>
    public const double FreeToDoubt = 0.95;

    /// <summary>The same, not to doubt it any longer.</summary>
    public const double FreeToStay = 0.8;

    /// <summary>Reserved transactions that access what they have not reserved, not to.</summary>
    public const double MissesMax = 0.5;

    /// <summary>Transactions that load a grain, to run dry.</summary>
    public const double LoadsToRunDry = 0.25;

    /// <summary>
    /// Attempts that end in a conflict, to run dry for that: where hardly anybody meets anybody, nobody waits for
    /// another's loads, and to load takes as long in a dry run as without.
    /// </summary>
    public const double ConflictsToRunDry = 0.05;

    /// <summary>
    /// Transactions that load a grain, to have grains activated before something hot is reserved: one in fifty. That
    /// costs a message and its answer to those that access what is not known to be active (<see cref="ActiveGrains"/>);
    /// to activate a grain while others wait costs a hundred times that and more. So after one that did, some fifteen
    /// have nothing to activate before it is given up again.
    /// </summary>
    public const double LoadsToActivate = 0.02;

    /// <summary>Accesses of a transaction, on average, to reserve.</summary>
    public const double AccessesMin = 1.5;

    /// <summary>The same, at the most, to run a body twice.</summary>
    public const double AccessesMax = 256;

    /// <summary>What another node decides holds for so long, in microseconds; it is repeated much more often.</summary>
    public const long FollowMicroseconds = 200_000;

    /// <summary>What keeps a type from reserving is forgotten this slowly, so that it is tried again.</summary>
    private const double MissesDecay = 1 - (1.0 / 512);

    private Shares[] _byType = [];

    /// <summary>All types that it may know of have lower numbers.</summary>
    public int TypeCount => _byType.Length;

    /// <summary>The share of a type's reserved transactions that accessed what they had not reserved.</summary>
    public double AccessSetMisses(int typeId) => (uint)typeId < (uint)_byType.Length ? _byType[typeId].Misses : 0;

    /// <summary>How a type's next transaction is let in where the table leaves it to the silo.</summary>
    /// <param name="typeId">The type.</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    /// <param name="handsOn">Whether its table's rows expose what was written and read that.</param>
    public PolicyAdmission Choose(int typeId, long now, bool handsOn)
    {
        ref var type = ref Left(typeId, handsOn, keepsAtMost: false);
        if (!type.CanTry) return ChooseToLoad(typeId);
        if (type.RunsDryInConflict && !IsLed(type, now)) Assume(ref type);
        return ArmOf(type, now) == AdmissionArm.Reserve ? PolicyAdmission.DryRunReserve : ChooseToLoad(typeId);
    }

    /// <summary>
    /// The next transaction of a type that must not be run dry is left to the
    /// silo: all that it can choose is whether what is written stays private.
    /// </summary>
    /// <param name="typeId">The type.</param>
    /// <param name="handsOn">As for <see cref="Choose"/>.</param>
    public void ChooseAtOnce(int typeId, bool handsOn) => Left(typeId, handsOn, keepsAtMost: true);

    /// <summary>How a type's transactions are let in now, where they declare nothing.</summary>
    public AdmissionArm ArmOf(int typeId, long now) =>
        (uint)typeId < (uint)_byType.Length && _byType[typeId].CanTry
            ? ArmOf(_byType[typeId], now)
            : AdmissionArm.HandOn;

    /// <summary>
    /// How a type's next transaction is let in that declares what it accesses: what they reserve is what is hot
    /// (<see cref="HotParticipants"/>), so a dry run is for what has to be loaded only.
    /// </summary>
    public PolicyAdmission ChooseToLoad(int typeId)
    {
        ref var type = ref Of(typeId);
        return type.Loads >= LoadsToRunDry && type.Conflicts >= ConflictsToRunDry && type.Accesses <= AccessesMax
            ? PolicyAdmission.DryRun
            : PolicyAdmission.Run;
    }

    /// <summary>
    /// Whether a type's next transaction has its grains activated before it reserves a part of what it declares. Of
    /// what is not reserved nobody sees before it is accessed that it is not active.
    /// </summary>
    public bool HasToLoad(int typeId) => Of(typeId).Loads >= LoadsToActivate;

    /// <summary>Whether conflicts abort enough attempts that run at once to do something about it.</summary>
    public bool IsContended(int typeId) => Of(typeId).IsContended;

    /// <summary>Nothing is tried for a type any more: it is known what to reserve.</summary>
    public void LeaveOff(int typeId)
    {
        ref var type = ref Of(typeId);
        type.IsChosen = false;
        type.ForgetTrial();
    }

    /// <summary>What was learned of what a type's transactions access; nothing, at first.</summary>
    public LearnedAccesses LearnedOf(int typeId, int scoreToTrust) => Of(typeId).Learned ??= new(scoreToTrust);

    /// <summary>Grains were activated before reserving, or by a dry run, as far as any had to be.</summary>
    public void NoteLoading(int typeId, bool hasLoaded) => Blend(ref Of(typeId).Loads, hasLoaded);

    /// <summary>An attempt has its reservations.</summary>
    public void NoteReservation(int typeId, bool hasWaited)
    {
        ref var type = ref Of(typeId);
        Blend(ref type.Free, !hasWaited);
        if (type.Free < FreeToStay) type.IsFree = false;
        else if (type.Free > FreeToDoubt && !type.IsFree)
        {
            type.IsFree = true;
            type.Trial?.Doubt();
        }
    }

    /// <summary>A reserved transaction has committed, or given up for what it had not reserved.</summary>
    public void NoteAccessSet(int typeId, bool differs)
    {
        ref var type = ref Of(typeId);
        Blend(ref type.Misses, differs);
        type.KeptInARow = differs ? 0 : Math.Min(type.KeptInARow + 1, int.MaxValue - 1);
    }

    /// <summary>
    /// A reserved attempt has ended by its own doing when others had built on what it had handed on: they end with it.
    /// </summary>
    public void NoteBroken(int typeId) => Of(typeId).KeptInARow = 0;

    /// <summary>
    /// How many reserved transactions of a type, the latest ones, have
    /// kept to their sets and let down nobody to whom they had handed on.
    /// </summary>
    public int KeptInARow(int typeId) => (uint)typeId < (uint)_byType.Length ? _byType[typeId].KeptInARow : 0;

    /// <summary>An attempt is over.</summary>
    /// <param name="typeId">Of this type.</param>
    /// <param name="reason">Why it was aborted, or <see cref="AbortReason.None"/>.</param>
    /// <param name="accesses">How many accesses it had made.</param>
    /// <param name="hasLoaded">Whether it was the first to access some state.</param>
    /// <param name="isReserved">Whether it had reserved.</param>
    /// <param name="open">
    /// How long transactions have been open at this node so far, all of them together, in microseconds.
    /// </param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    public void NoteAttempt(
        int typeId, AbortReason reason, int accesses, bool hasLoaded, bool isReserved, long open, long now)
    {
        ref var type = ref Of(typeId);
        if (type.IsChosen)
        {
            var commits = reason == AbortReason.None ? 1 : 0;
            var openTime = type.OpenSeen == 0 ? 0 : open - type.OpenSeen;
            (type.OpenSeen, type.OpenTime, type.Commits) = (open, type.OpenTime + openTime, type.Commits + commits);
            type.HasNews = true;
            if (IsLed(type, now)) type.Trial = null;
            else if (type.CanTry) Try(ref type, commits, openTime, now);
        }

        type.Accesses += (accesses - type.Accesses) * (type.Accesses == 0 ? 1 : Weight);
        if (hasLoaded || !isReserved) Blend(ref type.Loads, hasLoaded);
        if (isReserved) return;
        Blend(ref type.Conflicts, reason.IsConflict());
        type.Misses *= MissesDecay;
    }

    /// <summary>What there is to tell of a type since this was asked last.</summary>
    /// <returns>Whether there is anything.</returns>
    public bool TakeNews(int typeId, out TypeNews news)
    {
        news = default;
        if ((uint)typeId >= (uint)_byType.Length) return false;
        ref var type = ref _byType[typeId];
        if (!type.HasNews || !type.CanTry) return false;
        type.HasNews = false;
        news = new TypeNews(type.Commits, type.OpenTime, type.IsContended, type.RunsDryInConflict, type.KeepsAtMost);
        return true;
    }

    /// <summary>At the node that decides for all: another one has told of a type.</summary>
    /// <param name="typeId">The type.</param>
    /// <param name="news">What is new.</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    /// <param name="handsOn">As for <see cref="Choose"/>.</param>
    /// <returns>How transactions are let in now.</returns>
    public AdmissionArm NoteElsewhere(int typeId, in TypeNews news, long now, bool handsOn)
    {
        ref var type = ref Of(typeId);
        if (!type.IsChosen) type.KeepsAtMost = news.KeepsAtMost;
        if (!type.CanTry && type.Accesses > 0) return AdmissionArm.HandOn;
        type.HandsOn = handsOn;
        if (news.HasConflicts) type.ConflictsSeenAt = now;
        Try(ref type, news.Commits, news.OpenTime, now);
        if (news.RunsDryInConflict) Assume(ref type);
        return type.Trial!.Arm;
    }

    /// <summary>The node that decides for all says how a type's transactions are let in.</summary>
    /// <param name="typeId">The type.</param>
    /// <param name="arm">How.</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    public void Follow(int typeId, AdmissionArm arm, long now)
    {
        ref var type = ref Of(typeId);
        if (arm != ArmOf(type, now)) type.Conflicts = 0;
        (type.Told, type.ToldUntil) = (arm, now + FollowMicroseconds);
    }

    private static bool IsLed(in Shares type, long now) => now < type.ToldUntil;

    private static AdmissionArm ArmOf(in Shares type, long now)
    {
        var arm = IsLed(type, now) ? type.Told : type.Trial?.Arm ?? AdmissionArm.HandOn;
        return arm == AdmissionArm.Reserve && type.KeepsAtMost ? AdmissionArm.KeepWrites : arm;
    }

    private static void Try(ref Shares type, long commits, long openTime, long now)
    {
        if (type.Trial is null)
        {
            type.Trial = new AdmissionTrial(now);

            // Who decided for all is not heard of any more: goes on as they did.
            if (type.Told != AdmissionArm.HandOn) type.Trial.Assume(type.Told);
            type.Told = AdmissionArm.HandOn;
        }

        var isContended = type.IsContended
            || (type.ConflictsSeenAt != 0 && now - type.ConflictsSeenAt < FollowMicroseconds);
        if (type.Trial.Note(commits, openTime, isContended, type.HandsOn, mayReserve: !type.KeepsAtMost, now))
            type.Conflicts = 0;
    }

    /// <summary>Reserves what is run dry in any case.</summary>
    private static void Assume(ref Shares type)
    {
        if (type.Trial is not { IsNew: true }) return;
        type.Trial.Assume(AdmissionArm.Reserve);
        type.Conflicts = 0;
    }

    /// <summary>
    /// The table leaves a type to the silo. What can't try anything forgets what it tried and was told.
    /// </summary>
    private ref Shares Left(int typeId, bool handsOn, bool keepsAtMost)
    {
        ref var type = ref Of(typeId);
        (type.IsChosen, type.HandsOn, type.KeepsAtMost) = (true, handsOn, keepsAtMost);
        if (!type.CanTry) type.ForgetTrial();
        return ref type;
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
        public double Free;
        public double Loads;
        public double Accesses;
        public AdmissionTrial? Trial;
        public LearnedAccesses? Learned;

        // In all: what has committed, for how long transactions were open
        // meanwhile, and how long they had been when that was counted last.
        public long Commits;
        public long OpenTime;
        public long OpenSeen;

        // Of other nodes: when one last said that it has conflicts, and
        // until when it holds what the one that decides has said.
        public long ConflictsSeenAt;
        public long ToldUntil;
        public AdmissionArm Told;

        // Whether it is for this node to choose, by a table that exposes what is written, and must not be run dry;
        // whether there is anything to tell; whether reservations were found free lately.
        public bool IsChosen;
        public bool HandsOn;
        public bool KeepsAtMost;
        public bool HasNews;
        public bool IsFree;
        public int KeptInARow;

        public readonly bool IsContended => Conflicts >= ConflictsToReserve;

        public readonly bool RunsDryInConflict => !KeepsAtMost && IsContended && Loads >= LoadsToRunDry;

        public readonly bool CanTry =>
            Accesses >= AccessesMin && (KeepsAtMost || (Accesses <= AccessesMax && Misses <= MissesMax));

        /// <summary>What was tried, and what another node has told.</summary>
        public void ForgetTrial() => (Trial, Told, ToldUntil) = (null, AdmissionArm.HandOn, 0);
    }
}
