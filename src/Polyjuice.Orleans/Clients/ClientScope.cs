namespace Polyjuice.Orleans.Clients;

/// <summary>What is ambient while a client's code runs in a transaction.</summary>
internal sealed class ClientScope(IClientTransactionGrain transaction, int attempt)
{
    private static readonly AsyncLocal<ClientScope?> s_current = new();

    private long _calls;

    /// <summary>The ambient one.</summary>
    public static ClientScope? Current
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>Who makes its calls.</summary>
    public IClientTransactionGrain Transaction { get; } = transaction;

    /// <summary>Which attempt it is.</summary>
    public int Attempt { get; } = attempt;

    /// <summary>A number that no other call of the attempt has.</summary>
    public long NextCall() => Interlocked.Increment(ref _calls);

    /// <summary>Whether a delegate that joined has returned false.</summary>
    public bool IsDeclined { get; set; }
}
