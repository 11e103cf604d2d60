using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Search;

/// <summary>Changes of single cells (the paper's §5.1).</summary>
internal static class Mutation
{
    /// <summary>Changes each cell with a probability, and at least one.</summary>
    /// <param name="space">Whose cells.</param>
    /// <param name="parent">What is changed.</param>
    /// <param name="probability">For each cell.</param>
    /// <param name="distance">How far a choice moves at the most where choices are ordered.</param>
    /// <param name="random">What is drawn from.</param>
    public static Candidate EachCell(
        TableSpace space, Candidate parent, double probability, int distance, SimulationRandom random)
    {
        var choices = parent.Choices.ToArray();
        var changed = false;
        for (var i = 0; i < choices.Length; i++)
        {
            if (!random.Chance(probability)) continue;
            choices[i] = Another(space.Cells[i], choices[i], distance, random);
            changed = true;
        }

        if (!changed) ChangeOne(space, choices, distance, random);
        return new Candidate(choices);
    }

    /// <summary>Changes one cell that has a choice.</summary>
    public static void ChangeOne(TableSpace space, ushort[] choices, int distance, SimulationRandom random)
    {
        int cell;
        do cell = random.Next(choices.Length);
        while (space.Cells[cell].Choices < 2);
        choices[cell] = Another(space.Cells[cell], choices[cell], distance, random);
    }

    /// <summary>Another choice than the present one, if there is one.</summary>
    public static ushort Another(in TableCell cell, ushort choice, int distance, SimulationRandom random)
    {
        if (cell.Choices < 2) return choice;
        if (!cell.IsOrdered) return (ushort)((choice + 1 + random.Next(cell.Choices - 1)) % cell.Choices);
        var moved = (int)Math.Clamp(choice + random.Between(-distance, distance), 0, cell.Choices - 1);
        return (ushort)(moved != choice ? moved : choice == 0 ? 1 : choice - 1);
    }
}
