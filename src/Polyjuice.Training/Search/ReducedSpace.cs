namespace Polyjuice.Training.Search;

/// <summary>
/// The tables of a <see cref="TableSpace"/> that are tried where all are tried. Left as some table has them are
/// backoffs and rows for hot participants; and where one type contends alone, waiting for holders by type is left out,
/// because it is the same as waiting for all where the wait cell says "sealed" and as not waiting where it does not.
/// Early validation after a type's last site is left out too, because committing validates anyway. Immutable.
/// </summary>
internal sealed class ReducedSpace
{
    private readonly ushort[] _base;
    private readonly (int Cell, ushort[] Choices)[] _free;

    /// <summary>The reduced space around a table.</summary>
    /// <param name="space">The whole one.</param>
    /// <param name="around">What the cells that are not tried are taken from.</param>
    public ReducedSpace(TableSpace space, Candidate around)
    {
        _base = around.Choices.ToArray();
        var alone = space.Cells.Select(cell => cell.Type).Distinct().Count() == 1;
        _free =
        [
            .. space.Cells.Select((cell, index) => (Cell: index, Choices: cell.Kind switch
            {
                CellKind.Heat or CellKind.Backoff => [],
                CellKind.EarlyValidation when cell.Site == space.Catalogue.Types[cell.Type].Sites.Count - 1 => [],
                CellKind.Holders when alone => [.. All(cell).Where(choice => !TableSpace.Holders[choice].ByType)],
                _ => All(cell),
            })).Where(free => free.Choices.Length > 0),
        ];
        Count = 1;
        foreach (var (_, choices) in _free) Count = Count > long.MaxValue / choices.Length
            ? long.MaxValue
            : Count * choices.Length;
    }

    /// <summary>How many tables there are; <see cref="long.MaxValue"/> if more than that.</summary>
    public long Count { get; }

    /// <summary>The table of a number.</summary>
    /// <param name="number">From 0.</param>
    public Candidate this[long number]
    {
        get
        {
            var choices = (ushort[])_base.Clone();
            foreach (var (cell, free) in _free)
            {
                choices[cell] = free[number % free.Length];
                number /= free.Length;
            }

            return new Candidate(choices);
        }
    }

    private static ushort[] All(TableCell cell) =>
        [.. Enumerable.Range(0, cell.Choices).Select(choice => (ushort)choice)];
}
