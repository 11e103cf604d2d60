using System.Text.Json;

namespace Polyjuice.Lab.Reporting;

/// <summary>Rows as a JSON array. <see langword="null"/> stands for "not measured".</summary>
public static class RowJson
{
    private static readonly JsonSerializerOptions _options = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    /// <summary>Writes the array.</summary>
    public static string Write(IReadOnlyList<BenchmarkRow> rows) => JsonSerializer.Serialize(rows, _options) + "\n";

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    /// <exception cref="JsonException">It is something else.</exception>
    public static IReadOnlyList<BenchmarkRow> Read(string json) =>
        JsonSerializer.Deserialize<List<BenchmarkRow>>(json, _options) ?? [];
}
