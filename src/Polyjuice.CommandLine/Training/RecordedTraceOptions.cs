using System.CommandLine;
using Polyjuice.Training.Replay;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.CommandLine;

/// <summary>What is trained on: a recorded trace, and what it is replayed on.</summary>
internal sealed class RecordedTraceOptions
{
    private readonly Option<string[]> _trace;
    private readonly Option<string> _clients = Text(
        "--clients", "64", "Clients of the replay's closed loop: transactions at a time.");
    private readonly Option<string> _silos = Text("--silos", "2", "Silos of the replay.");
    private readonly Option<string> _network = Text(
        "--network-ms", "0", "How long a message between silos is under way, one way.");
    private readonly Option<string> _append = Text("--append-ms", "0", "How long an append to a log takes.");
    private readonly Option<string> _seed = Text("--seed", "1", "Of all random choices.");
    private readonly ReplayOptions _replay = new();

    /// <summary>The options.</summary>
    /// <param name="isRequired">Whether there is nothing to do without a trace.</param>
    public RecordedTraceOptions(bool isRequired = true) => _trace = new("--trace")
    {
        Description = "Files of a trace, or folders of them.",
        HelpName = "files",
        AllowMultipleArgumentsPerToken = true,
        Required = isRequired,
    };

    /// <summary>The option that names the trace.</summary>
    public Option Trace => _trace;

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_trace);
        foreach (Option option in (Option[])[_clients, _silos, _network, _append, _seed]) command.Add(option);
        _replay.AddTo(command);
    }

    /// <summary>The seed.</summary>
    /// <exception cref="CommandInputException">It is not valid.</exception>
    public ulong SeedOf(ParseResult parsed) => (ulong)parsed.Whole(_seed, 0, int.MaxValue);

    /// <summary>The trace's files; none if there is no trace.</summary>
    public IReadOnlyList<string> FilesOf(ParseResult parsed) => parsed.GetValue(_trace) ?? [];

    /// <summary>The replay.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <param name="cores">Processors of each of so many silos, if nobody says how many; one if not given.</param>
    /// <exception cref="CommandInputException">Something of it is not valid.</exception>
    public ReplaySettings SettingsOf(ParseResult parsed, Func<int, int>? cores = null) => _replay.Read(
        parsed, parsed.Whole(_silos, 1, 64), parsed.Whole(_clients, 1, 100_000), parsed.Milliseconds(_network),
        parsed.Milliseconds(_append), cores: cores);
}
