using System.CommandLine;
using Polyjuice.Training.Cluster.Applications;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Training.Cluster.Commands;

/// <summary>The options of a training that test clusters decide.</summary>
internal sealed class ClusterCommandOptions
{
    private readonly Option<string> _calibration = Text(
        "--calibrate-seconds", "30",
        "How long the calibration takes on test clusters, a third under each of three tables. 0 leaves costs as "
        + "--cost says.");
    private readonly Option<string> _interval = Text(
        "--race-seconds", "1",
        "How long a table is measured in each round of the race, after half as long again of warm-up.");
    private readonly Option<string> _rounds = Text(
        "--rounds", "6", "Rounds of the race at the most; tables that make less are out earlier.");
    private readonly Option<string> _verdict = Text(
        "--verdict-rounds", "12", "Rounds of the verdict, of the best tables that are left of the race.");
    private readonly Option<string> _leftOut = Text(
        "--left-out-percent", "10", "How many of the recorded calls may be left out because they can't be made again.");

    private readonly Option<string[]> _assembly = new("--assembly")
    {
        Description =
            "The application's assemblies with grains. With them its recorded calls are made again in test clusters of "
                + "Orleans silos, which decide.",
        HelpName = "files",
        AllowMultipleArgumentsPerToken = true,
    };

    private Option[] OfClusters => [_calibration, _interval, _rounds, _verdict, _leftOut];

    /// <summary>Adds them to a command.</summary>
    /// <param name="command">To which.</param>
    /// <param name="namesApplication">Whether it is the command line that names the application.</param>
    public void AddTo(Command command, bool namesApplication = true)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (namesApplication) command.Add(_assembly);
        foreach (var option in OfClusters) command.Add(option);
    }

    /// <summary>The application that the command line names; <see langword="null"/> if it names none.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <exception cref="CommandInputException">
    /// Something of it is not valid; or it names none, and says something of test clusters all the same.
    /// </exception>
    public TrainedApplication? ApplicationOf(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        if (parsed.GetValue(_assembly) is { Length: > 0 } files)
            return new TrainedApplication { Assemblies = ApplicationAssemblies.Load(files) };
        var idle = OfClusters.FirstOrDefault(option => parsed.GetResult(option) is { Implicit: false });
        return idle is null ? null : throw new CommandInputException(
            $"{idle.Name} is for {_assembly.Name}: without an application no test cluster is started.");
    }

    /// <summary>The test clusters.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <param name="settings">The replay, whose cluster they are like.</param>
    /// <exception cref="CommandInputException">Something of it is not valid.</exception>
    public ClusterOptions ClusterOf(ParseResult parsed, ReplaySettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        if (settings.Silos > Testing.PolyjuiceTestClusterOptions.MaxSilos)
            throw new CommandInputException(
                $"--silos: a test cluster has {Testing.PolyjuiceTestClusterOptions.MaxSilos} at the most.");
        var interval = TimeSpan.FromSeconds(parsed.Number(_interval, 0.01, 600));
        return ClusterOptions.Of(settings) with
        {
            Interval = interval,
            Warmup = interval / 2,
            Calibration = TimeSpan.FromSeconds(parsed.Number(_calibration, 0, 600)),
            LeftOutMax = parsed.Number(_leftOut, 0, 100) / 100,
        };
    }

    /// <summary>How tables race.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <exception cref="CommandInputException">Something of it is not valid.</exception>
    public RaceOptions RaceOf(ParseResult parsed) => new() { RoundsMax = parsed.Whole(_rounds, 1, 1_000) };

    /// <summary>How long the best of them are compared.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <exception cref="CommandInputException">It is not valid.</exception>
    public int VerdictRoundsOf(ParseResult parsed) => parsed.Whole(_verdict, 3, 1_000);
}
