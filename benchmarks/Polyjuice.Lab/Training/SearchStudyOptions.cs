using System.CommandLine;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Experiments;
using Polyjuice.Training;
using Polyjuice.Training.Search;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>
/// What the commands have in common that run searches with several seeds and measure anew what those find.
/// </summary>
/// <param name="result">The result's name, which is its files'.</param>
/// <param name="seeds">How many seeds, if nothing is said.</param>
/// <param name="measurements">How many replays of each found table, if nothing is said.</param>
/// <param name="measured">What is measured so often, for people.</param>
internal sealed class SearchStudyOptions(string result, string seeds, string measurements, string measured)
{
    private readonly TrainingOptions _workload = new();
    private readonly Option<string> _seeds = Text("--seeds", seeds, "Seeds of each search, from --seed on.");
    private readonly Option<string> _evaluations = Text(
        "--evaluations", "600", "Replays of each search with each seed.");
    private readonly Option<string> _measurements = Text(
        "--measurements",
        measurements,
        $"Replays of {measured} on held-out data, with seeds that nothing was chosen by.");
    private readonly Option<string> _threads = Text("--threads", "2", "Replays at a time.");
    private readonly Option<string?> _checkpoint = new("--checkpoint")
    {
        Description =
            "Keeps every replay in files in this folder, with --trace. The same command with the same folder goes on "
            + "where it was ended.",
        HelpName = "folder"
    };
    private readonly Option<string> _folder = new("--out", "-o")
    {
        Description = $"Writes {result}.json, {result}.svg and index.html to this folder, made if it is not there.",
        HelpName = "folder",
        Required = true
    };

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        _workload.AddTo(command);
        foreach (Option option in (Option[])[_seeds, _evaluations, _measurements, _threads, _checkpoint, _folder])
            command.Add(option);
    }

    /// <summary>Checks them, makes the folders, and reads or records what is searched on.</summary>
    /// <param name="parsed">What was typed; the command's own options are checked by then.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="CommandInputException">Something is not valid; nothing was written.</exception>
    /// <exception cref="ArgumentException">The trace is too short.</exception>
    /// <exception cref="IOException">A folder cannot be used, or the trace not be read.</exception>
    public async Task<SearchStudy> PrepareAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var run = _workload.RunOf(parsed);
        var settings = _workload.SettingsOf(parsed);
        var (count, limit) =
            (parsed.Whole(
                _seeds, 1,
                1_000), new SearchBudget(TimeSpan.FromDays(365), parsed.Whole(_evaluations, 1, int.MaxValue)));
        var (replays, atATime) = (parsed.Whole(_measurements, 2, 10_000), parsed.Whole(_threads, 1, 256));
        var kept = _workload.CheckpointOf(parsed, _checkpoint);
        if (kept is not null) Directory.CreateDirectory(kept);
        var files = new ExperimentFiles { Folder = parsed.GetRequiredValue(_folder) };
        await files.PrepareAsync();
        var input = await _workload.LoadAsync(parsed, run, settings, cancellationToken);
        var plan = new TrainingPlan
        {
            Workload = input.Workload,
            Settings = input.Settings,
            Name = "candidate",
            Budget = limit,
            Seed = _workload.SeedOf(parsed),
            Threads = atATime
        };
        return new SearchStudy(plan, input.Source, input.Digest, count, replays, kept, files);
    }
}
