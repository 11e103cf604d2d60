namespace Polyjuice.Training.Search;

/// <summary>
/// Tables as vectors of numbers, for models that split by a threshold: a number for a cell whose choices are ordered or
/// only two, and for other cells a number for each choice, which is 1 for the one that was made. Immutable.
/// </summary>
internal sealed class TableFeatures
{
    private readonly TableSpace _space;
    private readonly int[] _starts;

    /// <summary>The features of a space's tables.</summary>
    /// <param name="space">The space.</param>
    public TableFeatures(TableSpace space)
    {
        _space = space;
        _starts = new int[space.Cells.Count];
        for (var i = 0; i < _starts.Length; i++)
        {
            _starts[i] = Count;
            Count += IsOneNumber(space.Cells[i]) ? 1 : space.Cells[i].Choices;
        }
    }

    /// <summary>How many numbers a table has.</summary>
    public int Count { get; }

    /// <summary>A table's numbers.</summary>
    /// <param name="candidate">Of the space.</param>
    public float[] Of(Candidate candidate)
    {
        var features = new float[Count];
        for (var i = 0; i < _starts.Length; i++)
        {
            if (IsOneNumber(_space.Cells[i])) features[_starts[i]] = candidate.Choices[i];
            else features[_starts[i] + candidate.Choices[i]] = 1;
        }

        return features;
    }

    private static bool IsOneNumber(TableCell cell) => cell.IsOrdered || cell.Choices <= 2;
}
