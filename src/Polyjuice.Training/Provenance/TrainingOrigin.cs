using System.Globalization;
using System.Text.Json;

namespace Polyjuice.Training.Provenance;

/// <summary>
/// The load that a table was trained for, as the file beside it says that <see cref="TrainingProvenance"/> wrote.
/// </summary>
internal sealed record TrainingOrigin
{
    /// <summary>The policy's name.</summary>
    public required string Policy { get; init; }

    /// <summary>The trace.</summary>
    public required OriginTrace Trace { get; init; }

    /// <summary>The cluster and the load that it was replayed on.</summary>
    public required OriginCluster Cluster { get; init; }

    /// <summary>Scores on held-out data: the table's own first, then the others', best first.</summary>
    public required IReadOnlyList<OriginScore> HeldOut { get; init; }

    /// <summary>The race on a cluster; <see langword="null"/> where replays alone have decided.</summary>
    public OriginRace? Race { get; init; }

    /// <summary>The version of the file's format.</summary>
    public required int Schema { get; init; }

    /// <summary>Reads a file.</summary>
    /// <param name="json">The file's text.</param>
    /// <exception cref="FormatException">It is no such file, or of another version.</exception>
    public static TrainingOrigin Parse(string json)
    {
        try
        {
            var origin = JsonSerializer.Deserialize<TrainingOrigin>(json, JsonSerializerOptions.Web)
                ?? throw new FormatException("There is no training in it.");
            return origin.Schema == TrainingProvenance.Schema
                ? origin
                : throw new FormatException(
                    $"Its schema is {origin.Schema}; this build reads {TrainingProvenance.Schema}.");
        }
        catch (JsonException exception)
        {
            throw new FormatException($"It is no provenance of a training: {exception.Message}", exception);
        }
    }

    /// <summary>In sentences: on what load it was trained, and what it was worth there.</summary>
    public IEnumerable<string> Sentences()
    {
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"It was trained on {Trace.Transactions:n0} transactions of {Trace.Source}, "
            + $"with {Cluster.Clients:n0} clients, "
            + $"{Counted(Cluster.Silos, "silo")} with {Counted(Cluster.CoresPerSilo, "processor")} each, "
            + $"{Cluster.NetworkMicroseconds / 1e3:0.###} ms a message "
            + $"and {Cluster.AppendMicroseconds / 1e3:0.###} ms an append.");
        if (HeldOut is [var own, var best, ..])
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"On held-out data it made {own.Mean:n0}/s there, "
                + $"{best.GainOverIt:0.0%} ±{best.StandardError:0.0%} more than {best.Policy}, the best of "
                + $"the others.");
        }

        if (Race is not { } race) yield break;
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"On a cluster it made {race.Gain:0.0%} ({race.GainLow:0.0%} to {race.GainHigh:0.0%}) more than "
            + $"{race.BestBefore}, the best of the others there.");
    }

    private static string Counted(int count, string what) => count == 1 ? $"1 {what}" : $"{count} {what}s";
}

/// <summary>A trace that was trained on.</summary>
/// <param name="Source">Where it was from, for people.</param>
/// <param name="Transactions">How many it has.</param>
internal sealed record OriginTrace(string Source, long Transactions);

/// <summary>What it was replayed on; see <see cref="Replay.ReplaySettings"/>.</summary>
/// <param name="Clients">Clients of the closed loop.</param>
/// <param name="Silos">Silos.</param>
/// <param name="CoresPerSilo">Processors of each.</param>
/// <param name="NetworkMicroseconds">A message, one way.</param>
/// <param name="AppendMicroseconds">An append.</param>
internal sealed record OriginCluster(
    int Clients, int Silos, int CoresPerSilo, long NetworkMicroseconds, long AppendMicroseconds);

/// <summary>What a table made on held-out data.</summary>
/// <param name="Policy">Its name.</param>
/// <param name="Mean">Commits a second.</param>
/// <param name="GainOverIt">How much more the found table made, as a share; 0 for the found one.</param>
/// <param name="StandardError">Of that.</param>
internal sealed record OriginScore(string Policy, double Mean, double GainOverIt = 0, double StandardError = 0);

/// <summary>What a race on a cluster has decided; see <see cref="Races.RaceVerdict"/>.</summary>
/// <param name="BestBefore">The best table that was there before.</param>
/// <param name="Gain">How much more the found table makes, as a share.</param>
/// <param name="GainLow">The lower end of the confidence interval.</param>
/// <param name="GainHigh">Its upper end.</param>
internal sealed record OriginRace(string BestBefore, double Gain, double GainLow, double GainHigh);
