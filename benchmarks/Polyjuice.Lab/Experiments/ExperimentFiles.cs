using System.Text.Json;
using Polyjuice.Lab.Experiments;

namespace Polyjuice.Lab.Tool.Experiments;

/// <summary>Where the results of experiments go. Each that is <see langword="null"/> is not written.</summary>
internal sealed record ExperimentFiles
{
    private const string Report = "index.html";

    /// <summary>A folder, for NAME.json, NAME.svg and a report of all results that are there.</summary>
    public string? Folder { get; init; }

    /// <summary>A file for the result.</summary>
    public string? Json { get; init; }

    /// <summary>A file for the charts.</summary>
    public string? Svg { get; init; }

    /// <summary>Sees to it that they can be written: that must be known before the minutes, not after.</summary>
    /// <exception cref="IOException">One cannot.</exception>
    /// <exception cref="UnauthorizedAccessException">One may not.</exception>
    public async Task PrepareAsync()
    {
        if (Json is not null) await File.WriteAllTextAsync(Json, "{}\n", CancellationToken.None);
        if (Svg is not null) await File.WriteAllTextAsync(Svg, "", CancellationToken.None);
        if (Folder is null) return;
        Directory.CreateDirectory(Folder);
        // What earlier runs have left there stays until there is something better.
        await using var report = File.Open(Path.Combine(Folder, Report), FileMode.OpenOrCreate, FileAccess.Write);
    }

    /// <summary>Writes a result.</summary>
    /// <param name="result">The result.</param>
    /// <param name="output">For people.</param>
    public async Task WriteAsync(ExperimentResult result, TextWriter output)
    {
        var (json, svg) = (result.ToJson(), SvgPage.Write(result.Points, result.Drawn, result.Panels));
        if (Json is not null) await File.WriteAllTextAsync(Json, json, CancellationToken.None);
        if (Svg is not null) await File.WriteAllTextAsync(Svg, svg, CancellationToken.None);
        if (Folder is null) return;
        await File.WriteAllTextAsync(Path.Combine(Folder, $"{result.Experiment}.json"), json, CancellationToken.None);
        await File.WriteAllTextAsync(Path.Combine(Folder, $"{result.Experiment}.svg"), svg, CancellationToken.None);
        await WriteReportAsync(output);
    }

    /// <summary>Makes the report of all results in the folder. Other files there are left out, and named.</summary>
    /// <exception cref="ArgumentException">There is no result.</exception>
    public async Task WriteReportAsync(TextWriter output)
    {
        var results = new List<ExperimentResult>();
        foreach (var file in Directory.EnumerateFiles(Folder!, "*.json").Order(StringComparer.Ordinal))
        {
            try
            {
                results.Add(ExperimentResult.FromJson(await File.ReadAllTextAsync(file, CancellationToken.None)));
            }
            catch (JsonException)
            {
                await output.WriteLineAsync(
                    $"{file} is not the result of an experiment, and is left out of the report.");
            }
        }

        if (results.Count == 0)
            throw new ArgumentException(
                $"{Folder} holds no results of experiments: make some with 'polyjuice experiment all --quick --out "
                + $"{Folder}'.");
        var report = Path.Combine(Folder!, Report);
        await File.WriteAllTextAsync(
            report,
            HtmlReport.Write([.. results.OrderBy(result => ExperimentCatalogue.Place(result.Experiment))]),
            CancellationToken.None);
        await output.WriteLineAsync($"{report}: {results.Count} experiment(s)");
    }
}
