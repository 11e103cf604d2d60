using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>A call that holds an activation's turn until it is released. On the engine's turn only.</summary>
internal sealed class TurnHold
{
    private readonly ActivationTurn _turn;
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private List<Guid>? _offered;

    internal TurnHold(ActivationTurn turn, Guid key, bool isReadOnly)
    {
        _turn = turn;
        Key = key;
        IsReadOnly = isReadOnly;
    }

    internal Guid Key { get; }

    internal bool IsReadOnly { get; }

    /// <summary>Whose code the call runs; it may be over.</summary>
    internal LocalTransaction? Transaction { get; private set; }

    internal Task Released => _released.Task;

    /// <summary>
    /// The call runs from now on in this frame: for the first time, or another attempt of the transaction that it has
    /// started.
    /// </summary>
    public void Run(CallFrame frame)
    {
        Transaction = frame.Transaction;
        _offered = null;
        _turn.Run(this);
    }

    /// <summary>The call has returned.</summary>
    public void Release()
    {
        _turn.Release(this);
        _released.TrySetResult();
    }

    /// <summary>Each is let in once before an attempt: one that does not come is not waited for again.</summary>
    internal void Offer(Guid key) => (_offered ??= []).Add(key);

    internal bool HasOffered(Guid key) => _offered?.Contains(key) == true;
}
