using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// The tables that come into force one after the other: the built-in ones in rounds, each round in an order of its own,
/// and between two of them one with random cells.
/// </summary>
internal sealed class TableRound(int seed)
{
    /// <summary>What random tables are called together.</summary>
    public const string Random = "random tables";

    private readonly Random _random = new(seed);
    private readonly Queue<IPolicyCompiler> _builtin = [];
    private bool _isRandom;

    /// <summary>The next one, and what it is called.</summary>
    public (IPolicyCompiler Table, string Name) Next()
    {
        _isRandom = !_isRandom;
        if (_isRandom) return (new RandomPolicy((ulong)_random.NextInt64()), Random);
        if (_builtin.Count == 0)
        {
            var round = BuiltinPolicies.All.ToArray();
            _random.Shuffle(round);
            foreach (var table in round) _builtin.Enqueue(table);
        }

        var next = _builtin.Dequeue();
        return (next, next.Name);
    }
}
