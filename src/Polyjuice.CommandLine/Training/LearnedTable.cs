using Polyjuice.Policies;
using Polyjuice.Training;
using Polyjuice.Training.Provenance;

namespace Polyjuice.CommandLine;

/// <summary>A learned table's files: the policy, and NAME.provenance.json beside it.</summary>
internal static class LearnedTable
{
    /// <summary>Writes both; the policy last, so that one without provenance is never there.</summary>
    /// <param name="plan">What was to be done.</param>
    /// <param name="result">What came out; a table that is better than those before.</param>
    /// <param name="digest">Of the trace.</param>
    /// <param name="source">Where the trace is from, for people.</param>
    /// <param name="path">The policy's file.</param>
    /// <returns>The files.</returns>
    /// <exception cref="IOException">One cannot be written.</exception>
    /// <exception cref="InvalidOperationException">The table is not better than those that were there.</exception>
    public static async Task<IReadOnlyList<string>> WriteAsync(
        TrainingPlan plan, TrainingResult result, string digest, string source, string path)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(result);
        if (!result.IsBetter)
            throw new InvalidOperationException(
                $"{result.Found.Name} does not beat every table that was there, so it is not published.");
        var provenance = Path.ChangeExtension(path, ".provenance.json");
        var document = LearnedDocument.Of(plan, result, digest, source, Path.GetFileName(provenance));
        var text = PolicyWriter.Write(document);
        await File.WriteAllTextAsync(
            provenance,
            TrainingProvenance.Write(plan, result, digest, source, DateTimeOffset.UtcNow),
            CancellationToken.None);
        await File.WriteAllTextAsync(path, text, CancellationToken.None);
        return [path, provenance];
    }
}
