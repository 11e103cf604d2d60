using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using Polyjuice.Lab.Reporting;

namespace Polyjuice.Lab.Experiments;

/// <summary>
/// What an experiment came to, with all that a report needs: it is
/// read back from its file, and drawn again, without measuring.
/// </summary>
internal sealed record ExperimentResult
{
    private static readonly JsonSerializerOptions _options = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true, Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) }
    };

    /// <summary>Its name.</summary>
    public required string Experiment { get; init; }

    /// <summary>What was measured.</summary>
    public required string Description { get; init; }

    /// <summary>See <see cref="ExperimentScale.Name"/>.</summary>
    public required string Scale { get; init; }

    /// <summary>Whether time was virtual.</summary>
    public bool IsSimulated { get; init; }

    /// <summary>Whether every arm was measured.</summary>
    public bool IsComplete { get; init; }

    /// <summary>What broke it off; <see langword="null"/> if nothing did.</summary>
    public string? Failure { get; init; }

    /// <summary>Where.</summary>
    public string Machine { get; init; } = RowBuilder.Machine;

    /// <summary>The commit that this program was built from, or "unknown".</summary>
    public string Commit { get; init; } = CommitOf(typeof(ExperimentResult).Assembly);

    /// <summary>When it ended.</summary>
    public DateTimeOffset MeasuredAt { get; init; }

    /// <summary>How long it took.</summary>
    public double Seconds { get; init; }

    /// <summary>As <see cref="ExperimentPlan.Settings"/>.</summary>
    public required IReadOnlyDictionary<string, string> Settings { get; init; }

    /// <summary>As <see cref="ExperimentPlan.Panels"/>.</summary>
    public required IReadOnlyList<ExperimentPanel> Panels { get; init; }

    /// <summary>As <see cref="ExperimentPlan.Drawn"/>.</summary>
    public required IReadOnlyList<DrawnFigure> Drawn { get; init; }

    /// <summary>What the points show.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    /// <summary>Every point with median, least and most.</summary>
    public required IReadOnlyList<ExperimentPoint> Points { get; init; }

    /// <summary>As JSON.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, _options) + "\n";

    /// <summary>Reads what <see cref="ToJson"/> wrote.</summary>
    /// <exception cref="JsonException">It is something else.</exception>
    public static ExperimentResult FromJson(string json) =>
        JsonSerializer.Deserialize<ExperimentResult>(json, _options) ?? throw new JsonException("There is no result.");

    private static string CommitOf(Assembly assembly)
    {
        var version = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
        var at = version.IndexOf('+', StringComparison.Ordinal);
        return at < 0 ? "unknown" : version[(at + 1)..];
    }
}
