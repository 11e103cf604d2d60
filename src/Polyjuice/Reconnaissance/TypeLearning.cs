namespace Polyjuice.Reconnaissance;

/// <summary>What an agent learns of transaction types, in exponentially weighted shares: recent transactions count, old ones fade. Of this node's own transactions only. Turn only.</summary>
internal sealed class TypeLearning
{
    /// <summary>Weight of the latest transaction.</summary>
    private const double Weight = 1.0 / 32;

    private Shares[] _byType = [];

    /// <summary>The share of a type's reserved transactions that accessed what they had not reserved.</summary>
    public double AccessSetMisses(int typeId) => (uint)typeId < (uint)_byType.Length ? _byType[typeId].Misses : 0;

    public void NoteAccessSet(int typeId, bool differs) => Blend(ref Of(typeId).Misses, differs);

    private ref Shares Of(int typeId)
    {
        if (typeId >= _byType.Length) Array.Resize(ref _byType, (typeId + 1) * 2);
        return ref _byType[typeId];
    }

    private static void Blend(ref double share, bool isSo) => share += ((isSo ? 1 : 0) - share) * Weight;

    private struct Shares
    {
        public double Misses;
    }
}
