using System.Globalization;
using System.Text;

namespace Polyjuice.Testing;

/// <summary>
/// What a fault script was to do and has done, with its seed. Its text is what a failing run should say. Thread-safe.
/// </summary>
internal sealed class FaultLedger
{
    private readonly Lock _gate = new();
    private readonly List<FaultEntry> _entries = [];
    private readonly int _planned;

    internal FaultLedger(int seed, int planned)
    {
        Seed = seed;
        _planned = planned;
    }

    /// <summary>What the plan was drawn from.</summary>
    public int Seed { get; }

    /// <summary>What has happened, in the order of its beginning.</summary>
    public IReadOnlyList<FaultEntry> Entries
    {
        get
        {
            lock (_gate) return [.. _entries];
        }
    }

    /// <summary>How many faults of a kind have happened; those that were skipped do not count.</summary>
    /// <param name="kind">Which faults.</param>
    public int CountOf(FaultKind kind)
    {
        lock (_gate) return _entries.Count(entry => entry.Kind == kind && entry.Target is not null);
    }

    /// <inheritdoc/>
    public override string ToString()
    {
        var text = new StringBuilder();
        var entries = Entries;
        text.Append(CultureInfo.InvariantCulture, $"faults of seed {Seed}: {entries.Count} of {_planned} planned");
        foreach (var entry in entries) text.AppendLine().Append("  ").Append(entry);
        return text.ToString();
    }

    internal void Add(FaultEntry entry)
    {
        lock (_gate) _entries.Add(entry);
    }
}

/// <summary>A fault that a script has come to.</summary>
/// <param name="At">When it began, from the script's begin on.</param>
/// <param name="Kind">What it was.</param>
/// <param name="Target">
/// Whom it befell; <see langword="null"/> if it was skipped, because it would have befallen nobody, or too many.
/// </param>
/// <param name="Duration">How long it lasts.</param>
internal sealed record FaultEntry(TimeSpan At, FaultKind Kind, string? Target, TimeSpan Duration)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{At.TotalSeconds,8:F3} s {Kind} "
        + $"{(Target is null ? "skipped" : $"of {Target} for {Duration.TotalSeconds:F3} s")}");
}
