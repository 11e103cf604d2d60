using System.CommandLine;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Experiments;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary>The options that all experiments have.</summary>
/// <param name="comparesTables">Whether what is compared are tables, which users may choose.</param>
internal sealed class ExperimentOptions(bool comparesTables = true)
{
    private readonly List<(Option<bool> Option, ExperimentScale Scale)> _scales =
    [
        (new("--full")
        {
            Description =
                "For publication: three rounds of seconds for each point. The whole set takes hours. The default."
        }, ExperimentScale.Full),
        (new("--quick")
        {
            Description =
                "One round of less than a second for each point, and fewer points: the whole set takes a quarter "
                + "of an hour."
        }, ExperimentScale.Quick),
        (new("--brief")
        {
            Description = "Whether it works, not what it comes to: the whole set takes a minute or so."
        }, ExperimentScale.Brief),
    ];

    private readonly Option<string?> _policy = Optional(
        "--policy",
        "Tables to compare instead of those that the experiment compares: names of built-in ones, policy files, or "
        + "all; separated by commas.");
    private readonly Option<string?> _clients = Optional(
        "--clients",
        "Transactions at a time, where the experiment does not vary them, instead of those that suit it: 64 unless it "
        + "says otherwise.");
    private readonly Option<string> _seed = Text("--seed", "1", "Of all random choices.");
    private readonly Option<string?> _repeat = Optional("--repeat", "Rounds, instead of those of the scale.");
    private readonly Option<string?> _transactions = Optional(
        "--transactions",
        "Ends a measurement after so many transactions instead of by time, without a warm-up; not in experiments "
        + "over time.");
    private readonly Option<string?> _out = new("--out", "-o")
    {
        Description =
            "Writes NAME.json, NAME.svg and index.html, a report of all results that are there, into this folder.",
        HelpName = "folder"
    };

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var (option, _) in _scales) command.Add(option);
        if (comparesTables) command.Add(_policy);
        command.Add(_clients);
        command.Add(_repeat);
        command.Add(_transactions);
        command.Add(_seed);
        command.Add(_out);
    }

    /// <summary>The scale that they say.</summary>
    /// <exception cref="CommandInputException">Something is not valid.</exception>
    public ExperimentScale ScaleOf(ParseResult parsed)
    {
        var said = _scales.Where(scale => parsed.GetValue(scale.Option)).ToList();
        if (said.Count > 1)
            throw new CommandInputException(
                $"{string.Join(" and ", said.Select(scale => scale.Option.Name))}: only one of them.");
        var scale = said.Count == 1 ? said[0].Scale : ExperimentScale.Full;
        return scale with
        {
            Start = BenchmarkClusters.StartAsync,
            Chosen = comparesTables && parsed.GetValue(_policy) is { } policies ? CommandInput.Policies(policies) : [],
            Clients = parsed.WholeOrNone(_clients, 1, 100_000),
            Seed = (ulong)parsed.Whole(_seed, 0, int.MaxValue),
            Rounds = parsed.WholeOrNone(_repeat, 1, 1_000) ?? scale.Rounds,
            Operations = parsed.WholeOrNone(_transactions, 1, int.MaxValue),
        };
    }

    /// <summary>Where results go.</summary>
    public ExperimentFiles FilesOf(ParseResult parsed) => new() { Folder = parsed.GetValue(_out) };
}
