using System.Diagnostics;
using System.Globalization;
using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Tool.Experiments;
using Polyjuice.Training;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>
/// Searches with several seeds on one trace, whose tables are measured anew, and what its result says of them.
/// </summary>
/// <param name="Plan">What each search gets; its seed is the first one's.</param>
/// <param name="Source">Where the trace is from, for people.</param>
/// <param name="Digest">The trace's.</param>
/// <param name="Seeds">How many seeds.</param>
/// <param name="Measurements">Replays of each table that is measured.</param>
/// <param name="Checkpoints">An existing folder for journals; or nothing.</param>
/// <param name="Files">Where the result goes.</param>
internal sealed record SearchStudy(
    TrainingPlan Plan, string Source, string Digest, int Seeds, int Measurements, string? Checkpoints,
    ExperimentFiles Files)
{
    /// <summary>The one figure of each point.</summary>
    private const string Figure = "worth";

    private readonly long _begun = Stopwatch.GetTimestamp();

    /// <summary>The journal of a part of it; whoever opens it closes it.</summary>
    /// <param name="own">The part's plan.</param>
    /// <param name="name">Of its file.</param>
    public SearchJournal? OpenJournal(TrainingPlan own, string name) =>
        SearchJournal.OpenIn(Checkpoints, name, own, Digest);

    /// <summary>The result, but for what it shows: where it was measured, how long that took, and on what.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="description">What was measured.</param>
    /// <param name="own">Settings that other studies do not have.</param>
    public ExperimentResult ResultOf(string name, string description, params IEnumerable<(string Name, long Value)> own)
    {
        var settings = new Dictionary<string, string> { ["trace"] = Source, ["sha256"] = Digest };
        foreach (var (setting, value) in own.Prepend(("replays of a search", Plan.Budget.Evaluations)).Concat(
        [
            ("transactions of a replay", Plan.Settings.Measured), ("clients", Plan.Settings.Clients),
            ("silos", Plan.Settings.Silos), ("microseconds a message", Plan.Settings.NetworkMicroseconds),
            ("microseconds an append", Plan.Settings.AppendMicroseconds),
        ])) settings.Add(setting, value.ToString(CultureInfo.InvariantCulture));
        return new ExperimentResult
        {
            Experiment = name, Description = description, Scale = "full", IsSimulated = true, IsComplete = true,
            MeasuredAt = DateTimeOffset.UtcNow, Seconds = Math.Round(Stopwatch.GetElapsedTime(_begun).TotalSeconds, 1),
            Settings = settings, Panels = [], Drawn = [new(Figure, "commits a virtual second")], Findings = [],
            Points = [],
        };
    }

    /// <summary>A point of the picture: what a table is worth, in commits a virtual second.</summary>
    public static ExperimentPoint Point(string panel, string series, long x, double worth, double least, double most) =>
        new(
            panel,
            series,
            x,
            new Dictionary<string, Spread>
            {
                [Figure] = new(Math.Round(worth, 1), Math.Round(least, 1), Math.Round(most, 1))
            });
}
