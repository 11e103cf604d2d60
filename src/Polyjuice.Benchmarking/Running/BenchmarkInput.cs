using System.Globalization;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Benchmarking.Running;

/// <summary>Reads what people type. Everything wrong is said in one sentence that lists what is valid.</summary>
public static class BenchmarkInput
{
    /// <summary>Policies by name or file, separated by commas; "all" stands for every built-in one.</summary>
    /// <exception cref="BenchmarkInputException">One is unknown or not readable.</exception>
    public static IReadOnlyList<IPolicyCompiler> Policies(string text)
    {
        var policies = new List<IPolicyCompiler>();
        foreach (var name in Parts(text, "--policy"))
        {
            if (name == "all")
            {
                policies.AddRange(BuiltinPolicies.All);
                continue;
            }

            try
            {
                policies.Add(PolicySource.Load(name));
            }
            catch (ArgumentException e)
            {
                throw new BenchmarkInputException(e.Message.Split(" (Parameter", 2)[0]);
            }
            catch (Exception e) when (e is PolicyFormatException or IOException or UnauthorizedAccessException)
            {
                throw new BenchmarkInputException(e.Message);
            }
        }

        var twice = policies.GroupBy(policy => policy.Name).FirstOrDefault(group => group.Count() > 1);
        if (twice is not null) throw new BenchmarkInputException($"--policy: \"{twice.Key}\" is there twice; rows are told apart by the policies' names.");
        return policies;
    }

    /// <summary>Skews, separated by commas.</summary>
    /// <exception cref="BenchmarkInputException">One is not a number from 0 to 10.</exception>
    public static IReadOnlyList<double> Thetas(string text) => [.. Parts(text, "--theta").Select(part => Number(part, "--theta", 0, 10)).Distinct()];

    /// <summary>A number within bounds.</summary>
    /// <exception cref="BenchmarkInputException">It is not.</exception>
    public static double Number(string text, string option, double least, double most) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value >= least && value <= most
            ? value
            : throw new BenchmarkInputException(string.Create(CultureInfo.InvariantCulture, $"{option}: \"{text}\" is not a number from {least} to {most}."));

    /// <summary>A whole number within bounds.</summary>
    /// <exception cref="BenchmarkInputException">It is not.</exception>
    public static int Whole(string text, string option, int least, int most) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) && value >= least && value <= most
            ? value
            : throw new BenchmarkInputException($"{option}: \"{text}\" is not a whole number from {least} to {most}.");

    /// <summary>A time as people type it: "90s", "10m", "1.5h".</summary>
    /// <exception cref="BenchmarkInputException">It is none, or not above 0 and at most a week.</exception>
    public static TimeSpan Duration(string text, string option)
    {
        ArgumentNullException.ThrowIfNull(text);
        var seconds = text.Length == 0 ? 0 : text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3_600, _ => 0 };
        if (seconds > 0 && double.TryParse(text[..^1], NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number > 0 && number * seconds <= 7 * 86_400) return TimeSpan.FromSeconds(number * seconds);
        throw new BenchmarkInputException($"{option}: \"{text}\" is no time of at most a week. Write 90s, 10m or 1.5h.");
    }

    /// <summary>A file that is going to be written: what cannot be must be known before the minutes, not after.</summary>
    /// <exception cref="BenchmarkInputException">It does not end as it should, its folder is not there, or it is a folder itself.</exception>
    public static string OutputFile(string path, string extension, string option)
    {
        if (Path.GetExtension(path) != extension) throw new BenchmarkInputException($"{option}: \"{path}\" does not end in {extension}.");
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        if (!Directory.Exists(folder)) throw new BenchmarkInputException($"{option}: there is no folder {folder}.");
        if (Directory.Exists(path)) throw new BenchmarkInputException($"{option}: {path} is a folder.");
        return path;
    }

    /// <summary>A workload by name.</summary>
    /// <exception cref="BenchmarkInputException">There is none of that name.</exception>
    public static WorkloadDefinition Workload(WorkloadCatalogue catalogue, string name) => catalogue.Find(name)
        ?? throw new BenchmarkInputException($"There is no workload \"{name}\". Valid: {string.Join(", ", catalogue.All.Select(w => w.Name))}.");

    /// <summary>What commas separate, without white space.</summary>
    /// <exception cref="BenchmarkInputException">There is nothing.</exception>
    public static string[] Parts(string text, string option)
    {
        var parts = text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return parts.Length > 0 ? parts : throw new BenchmarkInputException($"{option}: a list separated by commas is missing.");
    }
}

/// <summary>Something typed is not valid; the message is for the person who typed it.</summary>
public sealed class BenchmarkInputException(string message) : ArgumentException(message);
