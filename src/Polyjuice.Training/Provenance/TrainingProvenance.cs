using System.Buffers;
using System.Globalization;
using System.Reflection;
using System.Text;
using System.Text.Json;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Training.Races;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Provenance;

/// <summary>
/// Where a table came from: enough to make it again, and to know what it was worth where it was made.
/// </summary>
internal static class TrainingProvenance
{
    /// <summary>The version of <see cref="Write"/>'s format.</summary>
    public const int Schema = 1;

    private static readonly JsonWriterOptions _indented = new() { Indented = true, NewLine = "\n" };

    /// <summary>The version of the engine that replays run on; another build has another one.</summary>
    public static string EngineVersion =>
        $"{typeof(TransactionEngine).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion} {typeof(TransactionEngine).Module.ModuleVersionId:N} {typeof(TrainingProvenance).Module.ModuleVersionId:N}";

    /// <summary>
    /// A number for everything that decides a search but its budget: who resumes one must have the same.
    /// <see cref="Search.SearchJournal"/> asks for it.
    /// </summary>
    /// <param name="plan">The plan.</param>
    /// <param name="traceDigest">See <see cref="TraceDigest"/>.</param>
    public static ulong FingerprintOf(TrainingPlan plan, string traceDigest)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var starts = string.Join(
            '\n', TableTrainer.StartsOf(plan).Prepend(plan.Parent).Select(Policies.PolicyWriter.Write));
        var options = string.Join(
            ',',
            typeof(EngineOptions).GetProperties()
                .Select(
                    option => Convert.ToString(option.GetValue(plan.Settings.Engine), CultureInfo.InvariantCulture)));
        return StableHash.Of(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{EngineVersion}|{traceDigest}|{plan.Settings}|{options}|{plan.Objective}|{plan.Search.Name}|{plan.Seed}|{plan.DerivesStarts}|{starts}"));
    }

    /// <summary>
    /// A training as a JSON file. Scores are in commits a virtual second
    /// (with an objective that bounds latency, what that makes of them).
    /// </summary>
    /// <param name="plan">What was to be done.</param>
    /// <param name="result">What came out.</param>
    /// <param name="traceDigest">See <see cref="TraceDigest"/>.</param>
    /// <param name="source">Where the trace came from, for people.</param>
    /// <param name="made">When.</param>
    public static string Write(
        TrainingPlan plan, TrainingResult result, string traceDigest, string source, DateTimeOffset made)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(result);
        var bytes = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(bytes, _indented))
        {
            json.WriteStartObject();
            json.WriteNumber("schema", Schema);
            json.WriteString("policy", result.Found.Name);
            json.WriteString(
                "made", made.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture));
            json.WriteString("engine", EngineVersion);
            json.WriteStartObject("trace");
            json.WriteString("source", source);
            json.WriteString("sha256", traceDigest);
            json.WriteNumber("transactions", plan.Workload.Count);
            json.WriteEndObject();
            WriteCluster(json, plan);
            json.WriteStartObject("search");
            json.WriteString("algorithm", plan.Search.Name);
            json.WriteString("objective", plan.Objective.ToString());
            json.WriteNumber("seed", plan.Seed);
            json.WriteString("parent", plan.Parent.Name);
            json.WriteNumber("evaluations", result.Evaluations);
            json.WriteNumber("seconds", Math.Round(result.Elapsed.TotalSeconds, 1));
            json.WriteBoolean("endedEarly", result.WasEnded);
            json.WriteEndObject();
            json.WriteStartArray("heldOut");
            WriteTrial(json, result.Trial, result.Trial);
            foreach (var baseline in result.Baselines.OrderByDescending(baseline => baseline.Mean))
                WriteTrial(json, baseline, result.Trial);
            json.WriteEndArray();
            if (result.Race is { } race) WriteRace(json, race);
            if (result.Calls is { } calls) WriteCalls(json, calls);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(bytes.WrittenSpan) + "\n";
    }

    private static void WriteCluster(Utf8JsonWriter json, TrainingPlan plan)
    {
        var (settings, costs) = (plan.Settings, plan.Settings.Costs);
        json.WriteStartObject("cluster");
        json.WriteNumber("clients", settings.Clients);
        json.WriteNumber("silos", settings.Silos);
        json.WriteNumber("coresPerSilo", settings.CoresPerSilo);
        json.WriteNumber("networkMicroseconds", settings.NetworkMicroseconds);
        json.WriteNumber("appendMicroseconds", settings.AppendMicroseconds);
        json.WriteNumber("warmup", settings.Warmup);
        json.WriteNumber("measured", settings.Measured);
        json.WriteStartObject("costMicroseconds");
        foreach (var (name, value) in new[]
        {
            ("turn", costs.Turn), ("attempt", costs.Attempt), ("access", costs.Access), ("call", costs.Call),
            ("failure", costs.Failure), ("message", costs.Message), ("batch", costs.Batch), ("append", costs.Append)
        })
            json.WriteNumber(name, Math.Round(value, 3));
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteRace(Utf8JsonWriter json, RaceVerdict race)
    {
        json.WriteStartObject("race");
        json.WriteString("found", race.Found.Name);
        json.WriteString("bestBefore", race.Best.Name);
        json.WriteNumber("gain", Rounded(race.Gain.Ratio - 1));
        json.WriteNumber("gainLow", Rounded(race.Gain.Low - 1));
        json.WriteNumber("gainHigh", Rounded(race.Gain.High - 1));
        json.WriteNumber("confidence", RaceVerdict.Confidence);
        json.WriteStartArray("rounds");
        foreach (var (found, best) in race.Rates)
        {
            json.WriteStartObject();
            json.WriteNumber("found", Math.Round(found, 1));
            json.WriteNumber("bestBefore", Math.Round(best, 1));
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("standings");
        foreach (var standing in race.Standings)
        {
            json.WriteStartObject();
            json.WriteString("policy", standing.Table.Name);
            json.WriteNumber("mean", Math.Round(standing.Mean, 1));
            json.WriteNumber("rounds", standing.Rates.Count);
            json.WriteBoolean("out", standing.IsOut);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();

        // One round says nothing of chance, and JSON has no infinity.
        static double Rounded(double share) => Math.Round(Math.Clamp(share, -1, 1e6), 4);
    }

    private static void WriteCalls(Utf8JsonWriter json, RecordedCalls calls)
    {
        json.WriteStartObject("calls");
        json.WriteNumber("recorded", calls.Recorded);
        json.WriteNumber("heldOut", calls.HeldOut);
        json.WriteStartObject("leftOut");
        foreach (var (why, count) in calls.LeftOut) json.WriteNumber(why, count);
        json.WriteEndObject();
        json.WriteStartArray("fit");
        foreach (var table in calls.Fit)
        {
            json.WriteStartObject();
            json.WriteString("policy", table.Name);
            json.WriteNumber("measured", Math.Round(table.CommittedPerSecond, 1));
            json.WriteNumber("replayed", Math.Round(table.ReplayedPerSecond, 1));
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteTrial(Utf8JsonWriter json, TrialResult trial, TrialResult found)
    {
        json.WriteStartObject();
        json.WriteString("policy", trial.Name);
        json.WriteNumber("mean", Math.Round(trial.Mean, 1));
        json.WriteNumber("least", Math.Round(trial.Least, 1));
        json.WriteNumber("most", Math.Round(trial.Most, 1));
        json.WriteNumber("abortedShare", Math.Round(trial.Replays.Average(replay => replay.AbortedShare), 4));
        json.WriteNumber(
            "p99Milliseconds", Math.Round(trial.Replays.Average(replay => replay.P99Microseconds) / 1e3, 1));
        if (!ReferenceEquals(trial, found))
        {
            var (gain, error) = found.Over(trial);
            json.WriteNumber("gainOverIt", Math.Round(gain, 4));
            json.WriteNumber("standardError", Math.Round(error, 4));
        }

        json.WriteEndObject();
    }
}
