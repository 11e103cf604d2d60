namespace Polyjuice.Policies;

/// <summary>One tree of an ensemble that predicts a number. Immutable.</summary>
/// <remarks>
/// Inner nodes are numbered from 0, the root; a child below 0 is a leaf, the complement of its number. So ML.NET has
/// them, whose predictions these repeat.
/// </remarks>
internal sealed record RegressionTree
{
    /// <summary>By inner node: which feature it looks at.</summary>
    public required IReadOnlyList<int> Feature { get; init; }

    /// <summary>By inner node: what is at most this goes left.</summary>
    public required IReadOnlyList<float> AtMost { get; init; }

    /// <summary>By inner node: the child for that.</summary>
    public required IReadOnlyList<int> Left { get; init; }

    /// <summary>By inner node: the other one.</summary>
    public required IReadOnlyList<int> Right { get; init; }

    /// <summary>By leaf: what it adds.</summary>
    public required IReadOnlyList<double> Leaf { get; init; }

    /// <summary>What it says of an example.</summary>
    /// <param name="features">Of the example.</param>
    public double Of(ReadOnlySpan<float> features)
    {
        if (Feature.Count == 0) return Leaf.Count == 0 ? 0 : Leaf[0];
        var node = 0;
        while (node >= 0) node = features[Feature[node]] <= AtMost[node] ? Left[node] : Right[node];
        return Leaf[~node];
    }

    /// <summary>Whether every path from the root ends in a leaf, and looks at features that there are.</summary>
    /// <param name="features">How many there are.</param>
    public bool IsWhole(int features)
    {
        var nodes = Feature.Count;
        if (AtMost.Count != nodes || Left.Count != nodes || Right.Count != nodes || Leaf.Count != nodes + 1)
            return false;
        if (Feature.Any(feature => feature < 0 || feature >= features)) return false;

        // Children come after their parents in no particular order, so
        // paths are walked: each node once, or it is no tree.
        var seen = 0;
        var open = new Stack<int>();
        if (nodes > 0) open.Push(0);
        while (open.TryPop(out var node))
        {
            if (++seen > nodes) return false;
            foreach (var child in (ReadOnlySpan<int>)[Left[node], Right[node]])
            {
                if (child >= nodes || ~child > nodes) return false;
                if (child >= 0) open.Push(child);
            }
        }

        return seen == nodes;
    }
}
