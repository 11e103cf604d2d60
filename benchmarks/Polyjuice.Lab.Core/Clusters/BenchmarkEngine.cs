using System.Globalization;
using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Clusters;

/// <summary>What runs the grains' transactions on a cluster that is measured.</summary>
/// <param name="Kind">Which engine.</param>
/// <param name="LockTimeout">
/// Of Orleans' own engine: how long a transaction holds a lock, and waits for one; <see langword="null"/> for Orleans'
/// defaults (8 s and 10 s). Nothing to the others.
/// </param>
public sealed record BenchmarkEngine(BenchmarkEngineKind Kind, TimeSpan? LockTimeout = null)
{
    private const string UngroupedName = "polyjuice-ungrouped";
    private const string TunedPrefix = "orleans-";
    private const string TunedSuffix = "ms";

    /// <summary>Polyjuice, under a policy table.</summary>
    public static BenchmarkEngine Polyjuice { get; } = new(BenchmarkEngineKind.Polyjuice);

    /// <summary>
    /// Polyjuice on the same grain classes, without the groups that they declare: each grain goes by its own hash.
    /// </summary>
    public static BenchmarkEngine Ungrouped { get; } = new(BenchmarkEngineKind.Polyjuice) { IsUngrouped = true };

    /// <summary>Orleans' own transactions with its default time-outs.</summary>
    public static BenchmarkEngine Orleans { get; } = new(BenchmarkEngineKind.Orleans);

    /// <summary>No transactions.</summary>
    public static BenchmarkEngine Plain { get; } = new(BenchmarkEngineKind.Plain);

    /// <summary>
    /// Whether the groups that grain classes declare are left out.
    /// Default <see langword="false"/>. Nothing to the others.
    /// </summary>
    public bool IsUngrouped { get; init; }

    /// <summary>
    /// As people type it: <c>polyjuice</c>, <c>polyjuice-ungrouped</c>,
    /// <c>orleans</c>, <c>orleans-100ms</c>, <c>plain</c>.
    /// </summary>
    public string Name => LockTimeout is { } timeout
        ? string.Create(CultureInfo.InvariantCulture, $"{TunedPrefix}{timeout.TotalMilliseconds:0}{TunedSuffix}")
        : IsUngrouped ? UngroupedName : Kind.ToString().ToLowerInvariant();

    /// <summary>The reverse of <see cref="Name"/>, for a list separated by commas.</summary>
    /// <exception cref="CommandInputException">One is none, or is there twice.</exception>
    public static IReadOnlyList<BenchmarkEngine> ParseList(string text, string option = "--engine")
    {
        var engines = CommandInput.Parts(text, option).Select(part => Parse(part, option)).ToList();
        return engines.Distinct().Count() == engines.Count
            ? engines
            : throw new CommandInputException($"{option}: an engine is there twice.");
    }

    /// <inheritdoc/>
    public override string ToString() => Name;

    private static BenchmarkEngine Parse(string name, string option)
    {
        if (name == Polyjuice.Name) return Polyjuice;
        if (name == UngroupedName) return Ungrouped;
        if (name == Orleans.Name) return Orleans;
        if (name == Plain.Name) return Plain;
        if (name.StartsWith(TunedPrefix, StringComparison.Ordinal)
            && name.EndsWith(TunedSuffix, StringComparison.Ordinal)
                && int.TryParse(
                    name[TunedPrefix.Length..^TunedSuffix.Length], NumberStyles.None, CultureInfo.InvariantCulture,
                    out var milliseconds)
                && milliseconds is > 0 and <= 60_000)
        {
            return new(BenchmarkEngineKind.Orleans, TimeSpan.FromMilliseconds(milliseconds));
        }

        throw new CommandInputException(
            $"{option}: there is no engine \"{name}\". Valid: polyjuice, polyjuice-ungrouped, orleans, orleans-100ms "
            + "(lock time-outs of 1 to 60000 ms), plain.");
    }
}

/// <summary>Kinds of engines.</summary>
public enum BenchmarkEngineKind
{
    /// <summary><c>UsePolyjuice()</c>.</summary>
    Polyjuice,

    /// <summary><c>UseTransactions()</c>: what Orleans brings.</summary>
    Orleans,

    /// <summary>
    /// Neither: the workload's plain twins, or the same grain code
    /// without isolation and durability (<see cref="PlainStates"/>).
    /// </summary>
    Plain,
}
