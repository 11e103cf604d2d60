using System.Text.Json;

namespace Polyjuice.Benchmarking.Experiments;

/// <summary>Results as JSON: what was measured, where, and every point with median, least and most.</summary>
public static class ExperimentJson
{
    private static readonly JsonSerializerOptions _options = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    /// <summary>Writes them.</summary>
    /// <param name="experiment">Its name.</param>
    /// <param name="settings">What it was run with.</param>
    /// <param name="points">What it came to.</param>
    public static string Write(string experiment, IReadOnlyDictionary<string, string> settings, IReadOnlyList<ExperimentPoint> points) =>
        JsonSerializer.Serialize(new { experiment, machine = $"{Environment.ProcessorCount} processors, .NET {Environment.Version}", settings, points }, _options) + "\n";
}
