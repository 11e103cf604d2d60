using System.CommandLine;
using Polyjuice.Benchmarking.Experiments;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice experiment</c></summary>
internal static class ExperimentCommand
{
    /// <summary>The command.</summary>
    public static Command Create() => new("experiment", "Repeats experiments of the papers: curves with medians and spread, as JSON and as an SVG file.") { ExperimentReconCommand.Create() };

    /// <summary>Runs an experiment, and writes what it came to.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="arms">What is measured.</param>
    /// <param name="rounds">How often, the warm-up round aside.</param>
    /// <param name="files">Where results go.</param>
    /// <param name="settings">What is written beside the results.</param>
    /// <param name="draw">Draws them.</param>
    /// <param name="summary">Says in sentences what they show.</param>
    /// <param name="output">For people.</param>
    /// <param name="cancellationToken">Ends early, with what has been measured.</param>
    public static async Task<int> RunAsync(
        string name, IReadOnlyList<ExperimentArm> arms, int rounds, ExperimentFiles files, IReadOnlyDictionary<string, string> settings, Func<IReadOnlyList<ExperimentPoint>, string> draw,
        Func<IReadOnlyList<ExperimentPoint>, IEnumerable<string>> summary, TextWriter output, CancellationToken cancellationToken)
    {
        // A file that cannot be written must be known before the minutes, not after.
        if (files.Json is not null) await File.WriteAllTextAsync(files.Json, "{}\n", CancellationToken.None);
        if (files.Svg is not null) await File.WriteAllTextAsync(files.Svg, "", CancellationToken.None);
        await output.WriteLineAsync($"{name}: {arms.Count} arms, {rounds} round(s) and one to warm up");
        var points = await new ExperimentRunner(rounds, output.WriteLine).RunAsync(arms, cancellationToken);
        foreach (var sentence in summary(points)) await output.WriteLineAsync(sentence);
        if (files.Json is not null) await File.WriteAllTextAsync(files.Json, ExperimentJson.Write(name, settings, points), CancellationToken.None);
        if (files.Svg is not null) await File.WriteAllTextAsync(files.Svg, draw(points), CancellationToken.None);
        return points.Count == arms.Count ? ExitCodes.Done : ExitCodes.No;
    }
}

/// <summary>Where an experiment's results go.</summary>
/// <param name="Json">The points, or <see langword="null"/>.</param>
/// <param name="Svg">The curves, or <see langword="null"/>.</param>
internal sealed record ExperimentFiles(string? Json, string? Svg);
