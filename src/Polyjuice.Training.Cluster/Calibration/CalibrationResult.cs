using System.Globalization;
using System.Text.Json;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Cluster.Calibration;

/// <summary>
/// What replays were fitted to, and with which costs. Kept beside a search's checkpoint: another calibration would make
/// it another search. Immutable.
/// </summary>
internal sealed record CalibrationResult
{
    private static readonly JsonSerializerOptions _indented = new(JsonSerializerOptions.Web) { WriteIndented = true };

    /// <summary>Of everything that decides what is measured.</summary>
    public required ulong Fingerprint { get; init; }

    /// <summary>The runs, each under a table of its own.</summary>
    public required IReadOnlyList<CalibratedTable> Tables { get; init; }

    /// <summary>What work costs.</summary>
    public required ReplayCosts Costs { get; init; }

    /// <summary>How long a message is under way.</summary>
    public required long NetworkMicroseconds { get; init; }

    /// <summary>How long an append takes.</summary>
    public required long AppendMicroseconds { get; init; }

    /// <summary>The replay with these costs.</summary>
    public ReplaySettings Apply(ReplaySettings settings) =>
        settings with
        {
            Costs = Costs, NetworkMicroseconds = NetworkMicroseconds, AppendMicroseconds = AppendMicroseconds
        };

    /// <summary>In a sentence, and a line for each table.</summary>
    public override string ToString()
    {
        var width = Tables.Max(static table => table.Name.Length);
        var lines = Tables.Select(table => string.Create(
            CultureInfo.InvariantCulture,
            $"  {table.Name.PadRight(width)}  measured {table.CommittedPerSecond,8:n0}/s, "
            + $"{table.ProcessorMicroseconds,6:n0} µs of a processor each; replayed {table.ReplayedPerSecond,8:n0}/s "
            + $"({ChangeText.Of(table.Error)})"));
        var fit = string.Create(
            CultureInfo.InvariantCulture,
            $"Replays are fitted to that: {Costs.Call:0.#} µs of a processor for a call, {Costs.Access:0.#} µs for "
            + $"an access, {NetworkMicroseconds / 1e3:0.00} ms for a message and {AppendMicroseconds / 1e3:0.00} ms "
            + $"for an append.");
        return string.Join('\n', lines.Prepend(fit));
    }

    /// <summary>Reads one that was kept; <see langword="null"/> if there is none.</summary>
    /// <param name="path">Its file.</param>
    /// <param name="fingerprint">Of this training.</param>
    /// <exception cref="ArgumentException">The file is no such thing, or of another training.</exception>
    /// <exception cref="IOException">It can't be read.</exception>
    public static CalibrationResult? Read(string path, ulong fingerprint)
    {
        if (!File.Exists(path)) return null;
        try
        {
            var kept = JsonSerializer.Deserialize<CalibrationResult>(File.ReadAllText(path), _indented);
            if (kept?.Fingerprint == fingerprint) return kept;
        }
        catch (JsonException exception)
        {
            throw new ArgumentException(
                $"{path} is no calibration that was kept: {exception.Message} Remove it to begin anew.", nameof(path),
                exception);
        }

        // To calibrate anew would make another search of it, and the checkpoint beside it useless.
        throw new ArgumentException(
            $"{path} is the calibration of another training: another trace, seed, table in force, cluster or version. "
            + "Name another file, or remove this one to begin anew.",
            nameof(path));
    }

    /// <summary>Keeps it.</summary>
    /// <param name="path">Its file, which is whole or as it was.</param>
    /// <exception cref="IOException">It can't be written.</exception>
    public void Write(string path)
    {
        var whole = path + ".new";
        File.WriteAllText(whole, JsonSerializer.Serialize(this, _indented));
        File.Move(whole, path, overwrite: true);
    }
}
