using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// Where each account is: in a partition of the logs, or in a row of its own. All that somebody owns is numbered: the
/// logs' partitions, and then the rows. Immutable.
/// </summary>
internal sealed class AccountUnits
{
    private readonly int _partitions;
    private readonly ParticipantKey[] _keys;
    private readonly int[] _unitOf;
    private readonly List<int> _rowAccounts = [];
    private readonly Dictionary<(string Grain, string State), int> _rows = [];

    public AccountUnits(ClusterShape shape)
    {
        _partitions = shape.Partitions;
        _keys = new ParticipantKey[shape.Accounts];
        _unitOf = new int[shape.Accounts];
        for (var i = 0; i < shape.Accounts; i++)
        {
            _keys[i] = MakeKey(i, shape.Partitions);
            _unitOf[i] = i % shape.Partitions;
            if (shape.IsRow?.Invoke(i) != true) continue;
            _unitOf[i] = shape.Partitions + _rowAccounts.Count;
            _rows.Add((_keys[i].Grain, _keys[i].State), _unitOf[i]);
            _rowAccounts.Add(i);
        }
    }

    /// <summary>How many units there are.</summary>
    public int Count => _partitions + _rowAccounts.Count;

    /// <summary>The accounts that are in rows, in the order of these.</summary>
    public IReadOnlyList<int> InRows => _rowAccounts;

    public ParticipantKey KeyOf(int account) => _keys[account];

    /// <summary>Accounts are dealt to partitions in turn; those in rows are each its own.</summary>
    public int UnitOf(int account) => _unitOf[account];

    public bool IsRow(int unit) => unit >= _partitions;

    /// <summary>The account that is kept in a row.</summary>
    public int AccountOf(int unit) => _rowAccounts[unit - _partitions];

    /// <summary>The row of a state; −1 when it is none.</summary>
    public int RowOf(string grain, string state) => _rows.GetValueOrDefault((grain, state), -1);

    private static ParticipantKey MakeKey(int account, int partitions)
    {
        var grainClass = account % 3 == 2 ? "Savings" : "Account";
        for (var salt = 0; ; salt++)
        {
            var grain = salt == 0 ? $"{grainClass}/{account}" : $"{grainClass}/{account}-{salt}";
            if (StableHash.Partition(grain, partitions) == account % partitions)
                return new ParticipantKey(grain, "balance", grainClass);
        }
    }
}
