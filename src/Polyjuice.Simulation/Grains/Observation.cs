namespace Polyjuice.Simulation.Grains;

/// <summary>One access as its body saw it.</summary>
/// <param name="Account">Where.</param>
/// <param name="Before">The tokens that were there, own earlier ones included.</param>
/// <param name="Balance">The balance that was there.</param>
/// <param name="Written">The token that the update appended, or 0 for a read.</param>
/// <param name="Delta">What the update added to the balance.</param>
internal sealed record Observation(int Account, IReadOnlyList<long> Before, long Balance, long Written, long Delta)
{
    public bool IsUpdate => Written != 0;

    public long BalanceAfter => Balance + Delta;
}

/// <summary>What a body has seen so far, for its conditions.</summary>
internal sealed class View
{
    private readonly List<Observation> _observations;

    public View() => _observations = [];

    private View(List<Observation> inherited) => _observations = inherited;

    public IReadOnlyList<Observation> Observations => _observations;

    /// <summary>The account's balance as last seen or left.</summary>
    public long Balance(int account)
    {
        for (var i = _observations.Count - 1; i >= 0; i--)
        {
            if (_observations[i].Account == account) return _observations[i].BalanceAfter;
        }

        throw new InvalidOperationException($"The body has not accessed account {account}.");
    }

    public bool Saw(int account) => _observations.Exists(o => o.Account == account);

    public void Add(Observation observation) => _observations.Add(observation);

    /// <summary>What a callee knows when it starts; what it adds stays its own until it answers.</summary>
    public (View View, int Inherited) ForCallee() => (new View([.. _observations]), _observations.Count);

    public void Merge(View callee, int inherited) => _observations.AddRange(callee._observations.Skip(inherited));
}
