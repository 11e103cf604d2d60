using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>A call that waits for an activation's turn.</summary>
/// <param name="key">Tells it from all others.</param>
/// <param name="waiter">Its transaction.</param>
/// <param name="isReadOnly">Whether the host lets it in beside other such calls.</param>
/// <param name="mayBeLetIn">Whether the host can let it in before its turn has come.</param>
internal sealed class TurnWait(Guid key, LocalTransaction waiter, bool isReadOnly, bool mayBeLetIn)
{
    public Guid Key { get; } = key;

    public LocalTransaction Waiter { get; } = waiter;

    public bool MayBeLetIn { get; } = mayBeLetIn;

    /// <summary>For whom it waits.</summary>
    public List<Wait> Edges { get; } = new(1);

    /// <summary>While it is let in: the wait of the transaction that lets it in.</summary>
    public Wait? LetInBy { get; set; }

    /// <summary>Whether the host keeps it out while that call runs.</summary>
    public bool IsKeptOutBy(TurnHold hold) => !(isReadOnly && hold.IsReadOnly);
}
