using System.Reflection;
using System.Text.Json;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Results of parts that were run one after the other, with the machine they ran on.</summary>
internal sealed record ResultFile(string Machine, string Runtime, string Orleans, List<Result> Results)
{
    private static readonly JsonSerializerOptions s_json = new() { WriteIndented = false, PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    /// <summary>What a file holds, or nothing yet.</summary>
    public static ResultFile Open(string? path) => path is not null && File.Exists(path)
        ? JsonSerializer.Deserialize<ResultFile>(File.ReadAllText(path), s_json) ?? throw new InvalidDataException($"{path} holds no results.")
        : new(
            $"{Environment.ProcessorCount} processors, {System.Runtime.InteropServices.RuntimeInformation.OSDescription}", System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription + (System.Runtime.GCSettings.IsServerGC ? ", server GC" : ""),
            OrleansVersion, []);

    /// <summary>The packages' version, without the commit that is named after it. Orleans' assembly version is the same in all of Orleans 10.</summary>
    private static string OrleansVersion => typeof(global::Orleans.Grain).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split(' ')[0].TrimEnd('.') ?? "";

    /// <summary>Whether a run was measured.</summary>
    public bool Has(BenchmarkCase parameters, Arm arm, int round) => Results.Exists(known =>
        (known.Workload, known.Theta, known.Clients, known.Silos, known.StorageMilliseconds, known.StorageFormat, known.Arm, known.Round)
        == (parameters.Workload, parameters.Theta, parameters.Clients, parameters.Silos, parameters.StorageMilliseconds, parameters.StorageFormat, arm.Name, round));

    /// <summary>Adds a result, and writes the file: one result in a line, so that a difference can be read.</summary>
    public void Add(Result result, string? path)
    {
        Results.Add(result);
        if (path is null) return;
        var header = JsonSerializer.Serialize(this with { Results = [] }, s_json);
        var text = $"{header[..^"]}".Length]}\n{string.Join(",\n", Results.Select(one => JsonSerializer.Serialize(one, s_json)))}\n]}}\n";
        var temporary = path + ".new";
        File.WriteAllText(temporary, text);
        File.Move(temporary, path, overwrite: true);
    }
}
