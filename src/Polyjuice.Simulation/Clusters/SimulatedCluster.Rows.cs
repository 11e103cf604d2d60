using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Clusters;

// States in rows: units behind the partitions, each with a row of its own.
internal sealed partial class SimulatedCluster
{
    /// <summary>Somebody wants something of a row: if nobody serves it, a node takes it.</summary>
    public void Wake(int row, SimulatedNode? by = null)
    {
        if (by is { IsTakenForDead: true })
        {
            by.Believe(row, by.Id);
            Deaths.TakeBack(by, row);
            return;
        }

        if (!IsAsleep(row) || (OwnerOf(row) is { IsAlive: false } owner && !Deaths.IsDeclared(owner.Id))) return;
        var candidates = Candidates;
        if (candidates.Count == 0) return;
        Assign(row, by is { IsWild: false } ? by : _random.Pick(candidates));
    }

    /// <summary>Reads a row.</summary>
    public RowTap TapOf(int unit) => _taps[unit - Shape.Partitions];

    private bool IsAsleep(int unit)
    {
        if (!Shape.RowsSleep || !Accounts.IsRow(unit)) return false;
        return OwnerOf(unit) is not { IsAlive: true } owner || (!owner.Acquiring.Contains(unit) && !owner.Owns(unit));
    }

    private void HearRow(RowRequest request, RowContent<Account> before, RowContent<Account> after)
    {
        var kinds = Shape.Monitors || Shape.Trace ? new RowMonitor(this, TapOf).Written(request, before, after) : 0;
        Appended?.Invoke(new AppendRequest(request.Process, request.Row, 0, default, []), kinds);
    }
}
