using System.Text.Json;
using System.Text.Json.Serialization;

namespace Polyjuice.Lab.Choosing;

/// <summary>What one table made of one load in one interval, and what was counted meanwhile.</summary>
/// <param name="Workload">Of the load.</param>
/// <param name="Setting">The load and the cluster, in a few words: what has the same one is compared.</param>
/// <param name="Silos">Of the cluster.</param>
/// <param name="Round">Intervals of one round follow each other, one for each table.</param>
/// <param name="Table">The table in force.</param>
/// <param name="Seconds">How long the interval was.</param>
/// <param name="Committed">Transactions that clients were told of as committed.</param>
/// <param name="Counts">What was counted, in the order of <see cref="ChoiceMeasurements.Counts"/>.</param>
internal sealed record ChoiceMeasurement(
    string Workload, string Setting, int Silos, int Round, string Table, double Seconds, long Committed,
    IReadOnlyList<long> Counts)
{
    /// <summary>Commits a second; no less than one in the interval, so that ratios exist.</summary>
    [JsonIgnore]
    public double Rate => Math.Max(1, Committed) / Math.Max(Seconds, 1e-9);
}

/// <summary>A file of measurements.</summary>
/// <param name="Counts">What <see cref="ChoiceMeasurement.Counts"/> counts, by name.</param>
/// <param name="Measurements">In the order in which they were made.</param>
internal sealed record ChoiceMeasurements(
    IReadOnlyList<string> Counts, IReadOnlyList<ChoiceMeasurement> Measurements)
{
    /// <summary>Reads such a file.</summary>
    /// <exception cref="JsonException">It is something else.</exception>
    /// <exception cref="IOException">It can't be read.</exception>
    public static async Task<ChoiceMeasurements> ReadAsync(string file) =>
        JsonSerializer.Deserialize<ChoiceMeasurements>(await File.ReadAllTextAsync(file), JsonSerializerOptions.Web)
        ?? throw new JsonException("The file is empty.");

    /// <summary>Writes it, a line for each measurement.</summary>
    public Task WriteAsync(string file)
    {
        static string Json<T>(T value) => JsonSerializer.Serialize(value, JsonSerializerOptions.Web);
        var lines = Measurements.Select(Json);
        return File.WriteAllTextAsync(
            file, $"{{ \"counts\": {Json(Counts)}, \"measurements\": [\n{string.Join(",\n", lines)}\n] }}\n");
    }
}
