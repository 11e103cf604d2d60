using Polyjuice.Policies;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Search;

/// <summary>
/// Changes of a table that mean something as a whole, where a cell alone rarely does: most good tables do alike at
/// alike sites, so a change is made at a group of them. Groups are the sites of a type, those that access a state in
/// one way, single ones, and all.
/// </summary>
internal sealed class Moves
{
    private const int CellsMax = 4;
    private const int DistanceMax = 3;

    /// <summary>In a row, waits come after the five other cells.</summary>
    private const int FirstWait = 5;

    private readonly TableSpace _space;
    private readonly SimulationRandom _random;
    private readonly (int Type, int Site)[] _sites;
    private readonly Dictionary<(int Type, int Site), int[]> _rows;
    private readonly int[][] _backoffs;

    public Moves(TableSpace space, SimulationRandom random)
    {
        _space = space;
        _random = random;
        var cells = space.Cells.Select((cell, index) => (Cell: cell, Index: index)).ToArray();
        _rows = cells.Where(one => one.Cell.Site >= 0).GroupBy(one => (one.Cell.Type, one.Cell.Site))
            .ToDictionary(row => row.Key, row => row.Select(one => one.Index).ToArray());
        _sites = [.. _rows.Keys.Order()];
        _backoffs =
        [
            .. cells.Where(one => one.Cell.Kind == CellKind.Backoff).GroupBy(one => one.Cell.Type)
            .Select(type => type.Select(one => one.Index).ToArray())
        ];
    }

    /// <summary>A table like another, but for one to three changes.</summary>
    /// <param name="parent">What is changed.</param>
    /// <param name="mate">What rows may be taken from.</param>
    public Candidate Make(Candidate parent, Candidate mate)
    {
        var choices = parent.Choices.ToArray();
        for (var changes = 1 + (_random.Chance(0.4) ? 1 + _random.Next(2) : 0); changes > 0; changes--)
        {
            switch (_random.Next(10))
            {
                case 0 or 1:
                    for (var cells = 1 + _random.Next(CellsMax); cells > 0; cells--)
                        Mutation.ChangeOne(_space, choices, DistanceMax, _random);
                    break;
                case 2 or 3:
                    foreach (var site in Group()) Copy(mate, choices, _rows[site]);
                    break;
                case 4:
                    Back(choices, mate);
                    break;
                case 5 or 6 or 7:
                    Set(choices, Group());
                    break;
                default:
                    Wait(choices, Group());
                    break;
            }
        }

        return new Candidate(choices);
    }

    private CatalogueSite SiteAt((int Type, int Site) at) => _space.Catalogue.Types[at.Type].Sites[at.Site];

    private (int Type, int Site)[] Group()
    {
        var one = _random.Pick(_sites);
        var like = SiteAt(one);
        return _random.Next(8) switch
        {
            0 => _sites,
            1 => [.. _sites.Where(site => site.Type == one.Type)],
            2 => [.. _sites.Where(site => site.Type == one.Type && site.Site >= one.Site)],
            3 or 4 => [.. _sites.Where(site => SiteAt(site).State == like.State && SiteAt(site).Kind == like.Kind)],
            5 => [.. _sites.Where(site => SiteAt(site).State == like.State)],
            _ => [one],
        };
    }

    /// <summary>One cell of the rows' actions, the same in all.</summary>
    private void Set(ushort[] choices, (int Type, int Site)[] group)
    {
        var kind = _random.Next(FirstWait);
        var cell = _rows[group[0]][kind];
        var choice = Mutation.Another(_space.Cells[cell], choices[cell], DistanceMax, _random);
        foreach (var site in group) choices[_rows[site][kind]] = choice;
    }

    /// <summary>The rows' waits for one type or for all.</summary>
    private void Wait(ushort[] choices, (int Type, int Site)[] group)
    {
        var types = _rows[group[0]].Length - FirstWait;
        var (from, to) = _random.Chance(0.5) ? (0, types) : (_random.Next(types), -1);
        if (to < 0) to = from + 1;
        var how = _random.Next(5);
        var ahead = _random.Next(3);
        foreach (var site in group)
        {
            for (var other = from; other < to; other++)
            {
                var cell = _rows[site][FirstWait + other];
                choices[cell] = how switch
                {
                    0 or 1 => 0,
                    2 => (ushort)(_space.Cells[cell].Choices - 1),
                    _ => PastState(
                        SiteAt(site).State,
                        _space.Catalogue.Types[_space.Cells[cell].Other],
                        how == 3 ? 0 : ahead),
                };
            }
        }
    }

    /// <summary>
    /// Until a type's last site at a state is past, or so many sites before; nothing if it has none there.
    /// </summary>
    private static ushort PastState(string state, CatalogueType type, int ahead)
    {
        for (var i = type.Sites.Count - 1; i >= 0; i--)
        {
            if (type.Sites[i].State == state) return (ushort)Math.Max(1, i + 1 - ahead);
        }

        return 0;
    }

    private void Back(ushort[] choices, Candidate mate)
    {
        var all = _random.Chance(0.5);
        var one = _random.Next(_backoffs.Length);
        var at = _random.Next(6);
        var choice = (ushort)_random.Next(PolicyBackoff.Multipliers.Count);
        var copies = _random.Chance(0.2);
        for (var type = 0; type < _backoffs.Length; type++)
        {
            if (!all && type != one) continue;
            if (copies) Copy(mate, choices, _backoffs[type]);
            else choices[_backoffs[type][at]] = choice;
        }
    }

    private static void Copy(Candidate from, ushort[] choices, int[] cells)
    {
        foreach (var cell in cells) choices[cell] = from.Choices[cell];
    }
}
