namespace Polyjuice.Policies;

/// <summary>Finds what somebody may have meant who has mistyped a name.</summary>
internal static class NearestName
{
    /// <summary>The share of a name's characters that may be wrong: one in this many, and always one.</summary>
    private const int CharactersForEachError = 3;

    /// <summary>
    /// The name with the least edit distance (Levenshtein: characters inserted, left out or replaced; upper and lower
    /// case are the same), the first of several in ordinal order; <see langword="null"/> if none is near: a third of
    /// its characters are wrong.
    /// </summary>
    /// <param name="name">What is not known.</param>
    /// <param name="known">What is.</param>
    public static string? Of(string name, IEnumerable<string> known)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(known);
        string? nearest = null;
        var least = Math.Max(1, name.Length / CharactersForEachError) + 1;
        foreach (var candidate in known.Order(StringComparer.Ordinal))
        {
            if (Math.Abs(candidate.Length - name.Length) >= least) continue;
            var distance = Distance(name, candidate);
            if (distance < least) (nearest, least) = (candidate, distance);
        }

        return nearest;
    }

    private static int Distance(string one, string other)
    {
        var above = new int[other.Length + 1];
        var row = new int[other.Length + 1];
        for (var column = 0; column <= other.Length; column++) above[column] = column;
        foreach (var character in one)
        {
            row[0] = above[0] + 1;
            for (var column = 1; column <= other.Length; column++)
            {
                var isSame = char.ToUpperInvariant(character) == char.ToUpperInvariant(other[column - 1]);
                var replaced = above[column - 1] + (isSame ? 0 : 1);
                row[column] = Math.Min(replaced, 1 + Math.Min(above[column], row[column - 1]));
            }

            (above, row) = (row, above);
        }

        return above[other.Length];
    }
}
