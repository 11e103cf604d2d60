namespace Polyjuice.Simulation.Faults;

/// <summary>What people call faults: names of groups and of single kinds, separated by commas.</summary>
internal static class FaultNames
{
    private static readonly (string Name, FaultKinds Kinds)[] Groups =
    [
        ("none", FaultKinds.None), ("network", FaultKinds.AllNetwork), ("crash", FaultKinds.AllCrash),
        ("storage", FaultKinds.AllStorage), ("clock", FaultKinds.AllClock), ("owners", FaultKinds.AllOwners),
        ("all", FaultKinds.All),
    ];

    // A single crash is not the group of that name.
    private static readonly (string Name, FaultKinds Kinds)[] Singles =
    [
        .. FaultLedger.Kinds.Select(k => (Name: NameOf(k), k))
    ];

    /// <summary>All names, groups first.</summary>
    public static IEnumerable<string> All => Groups.Concat(Singles).Select(g => g.Name);

    /// <summary>A single kind's name.</summary>
    public static string NameOf(FaultKinds kind)
    {
        if (kind == FaultKinds.Crash) return "silo-crash";
        var name = kind.ToString();
        return string.Concat(
            name.Select(
                (c, i) => char.IsUpper(c) && i > 0 ? $"-{char.ToLowerInvariant(c)}" : $"{char.ToLowerInvariant(c)}"));
    }

    /// <summary>The shortest way to say it.</summary>
    public static string Format(FaultKinds kinds)
    {
        foreach (var (name, group) in Groups)
        {
            if (group == kinds) return name;
        }

        var names = new List<string>();
        foreach (var (name, group) in Groups)
        {
            if (group == FaultKinds.None || (kinds & group) != group) continue;
            names.Add(name);
            kinds &= ~group;
        }

        return string.Join(',', names.Concat(Singles.Where(s => (kinds & s.Kinds) != 0).Select(s => s.Name)));
    }

    /// <summary>What the names say.</summary>
    /// <exception cref="ArgumentException">A name is unknown; the message lists those that are not.</exception>
    public static FaultKinds Parse(string text)
    {
        var kinds = FaultKinds.None;
        foreach (var name in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var found = Array.FindIndex(
                [.. Groups, .. Singles], g => g.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            if (found < 0) throw new ArgumentException($"'{name}' is no fault; there are {string.Join(", ", All)}.");
            kinds |= found < Groups.Length ? Groups[found].Kinds : Singles[found - Groups.Length].Kinds;
        }

        return kinds;
    }
}
