using System.Text.Json;
using Polyjuice.Lab.Running;
using Polyjuice.Training.Races;

namespace Polyjuice.Lab.Training;

/// <summary>What a training came to on Orleans: one line of a table of such. Immutable.</summary>
/// <param name="Workload">What was served.</param>
/// <param name="Sizes">How large it was.</param>
/// <param name="Theta">Its skew; <see langword="null"/> if it has none.</param>
/// <param name="Silos">Of the cluster.</param>
/// <param name="Clients">Of the closed loop.</param>
/// <param name="NetworkMs">Added to each message, in milliseconds.</param>
/// <param name="AppendMs">Added to each append, in milliseconds.</param>
/// <param name="SearchSeconds">How long was searched.</param>
/// <param name="Found">The best table found.</param>
/// <param name="FoundPerSecond">
/// What it committed in the verdict's rounds; 0 where the race had shown that it makes less.
/// </param>
/// <param name="Best">The best table that was there.</param>
/// <param name="BestPerSecond">What that committed in them.</param>
/// <param name="Ratio">How many times as much the found one commits.</param>
/// <param name="Low">The ratio's interval of 95 %.</param>
/// <param name="High">Its upper end.</param>
/// <param name="Rounds">Of the verdict.</param>
public sealed record LearnedGain(
    string Workload, string Sizes, double? Theta, int Silos, int Clients, double NetworkMs, double AppendMs,
    double SearchSeconds, string Found, double FoundPerSecond, string Best, double BestPerSecond, double Ratio,
    double Low, double High, int Rounds)
{
    private static readonly JsonSerializerOptions _json = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    /// <summary>Of a run whose tables raced.</summary>
    /// <param name="plan">What was done.</param>
    /// <param name="verdict">What the race has decided.</param>
    /// <param name="searched">How long was searched.</param>
    internal static LearnedGain Of(BenchmarkPlan plan, RaceVerdict verdict, TimeSpan searched)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(verdict);
        var shape = plan.Shape;
        return new(
            plan.Workload.Name, plan.Workload.Describe(plan.Parameters), plan.Workload.HasSkew ? plan.Thetas[0] : null,
            shape.Silos, plan.Clients, shape.NetworkLatency.TotalMilliseconds, shape.AppendLatency.TotalMilliseconds,
            searched.TotalSeconds, verdict.Found.Name, verdict.FoundRate, verdict.Best.Name, verdict.BestRate,
            verdict.Gain.Ratio, verdict.Gain.Low, double.IsFinite(verdict.Gain.High) ? verdict.Gain.High : 0,
            verdict.Rates.Count);
    }

    /// <summary>Writes it into a file, behind those that are there; in place of one of the same setting.</summary>
    /// <param name="file">Made if it is not there.</param>
    /// <param name="gain">What to write.</param>
    /// <exception cref="JsonException">The file holds something else.</exception>
    /// <exception cref="IOException">It can't be read or written.</exception>
    public static async Task AddAsync(string file, LearnedGain gain)
    {
        ArgumentNullException.ThrowIfNull(gain);
        var gains = File.Exists(file) ? await ReadAsync(file) : [];
        var kept = gains.Where(one => one.Setting != gain.Setting).Append(gain);
        await File.WriteAllTextAsync(file, JsonSerializer.Serialize(kept, _json) + "\n");
    }

    /// <summary>Reads a file of them.</summary>
    /// <param name="file">Which.</param>
    /// <exception cref="JsonException">The file holds something else.</exception>
    /// <exception cref="IOException">It can't be read.</exception>
    public static async Task<IReadOnlyList<LearnedGain>> ReadAsync(string file) =>
        JsonSerializer.Deserialize<List<LearnedGain>>(await File.ReadAllTextAsync(file), _json) ?? [];

    private (string, string, double?, int, int, double, double) Setting =>
        (Workload, Sizes, Theta, Silos, Clients, NetworkMs, AppendMs);
}
