namespace Polyjuice.Policies;

/// <summary>Lists in a sentence.</summary>
internal static class Enumeration
{
    /// <summary>"a", "a and b", "a, b and c"; empty of nothing.</summary>
    public static string And(IEnumerable<string> parts)
    {
        var list = parts.ToList();
        return list.Count < 2 ? string.Concat(list) : $"{string.Join(", ", list[..^1])} and {list[^1]}";
    }

    /// <summary>Numbers in order, neighbours as a range: "1", "2–4", "2–4, 6 and 9".</summary>
    public static string Ranges(IReadOnlyList<int> numbers)
    {
        var parts = new List<string>();
        for (var i = 0; i < numbers.Count;)
        {
            var first = i;
            while (i < numbers.Count && numbers[i] - numbers[first] == i - first) i++;
            if (i - first > 2) parts.Add($"{numbers[first]}–{numbers[i - 1]}");
            else parts.AddRange(numbers.Skip(first).Take(i - first).Select(number => $"{number}"));
        }

        return And(parts);
    }
}
