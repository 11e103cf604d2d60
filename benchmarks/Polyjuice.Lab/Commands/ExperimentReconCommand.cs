using System.CommandLine;
using Polyjuice.Lab.Experiments.Recon;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Experiments;
using Polyjuice.Testing;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab experiment recon</c></summary>
internal static class ExperimentReconCommand
{
    /// <summary>The experiment's name. It has more options than others.</summary>
    public const string Name = "recon";

    private static readonly string[] _policies =
    [
        "run", "dry-run", "reserve", "dry-run+reserve", "declared", "auto", "auto-declared", "auto-unmarked",
        "locking", "occ", "dirty-public"
    ];

    /// <summary>The command.</summary>
    public static Command Create()
    {
        // What is not said suits the scale.
        var theta = Optional("--theta", "Zipfian skews of the transfers, separated by commas.");
        var contention = Optional(
            "--contention",
            "Contention indexes of Calvin's micro-benchmark, separated by commas: one over the number of hot records "
            + "of a partition.");
        var policy = Optional(
            "--policy", $"What is compared, separated by commas, of: {string.Join(", ", _policies)}.");
        var storage = Optional("--storage-ms", "Latencies of a grain's load and a log's append, separated by commas.");
        var accounts = Optional("--accounts", "Records to choose from.");
        var silos = Optional("--silos", "Silos of the cluster in this process.");
        var seconds = Optional("--seconds", "Measured seconds per arm and round.");
        var slice = Optional(
            "--slice-seconds",
            "What is compared takes turns of about this length, so that a machine that gets slower gets "
            + "slower for all.");
        var json = new Option<string?>("--json") { Description = "Writes all points to this file.", HelpName = "file" };
        var svg = new Option<string?>("--svg") { Description = "Draws the curves into this file.", HelpName = "file" };
        var options = new ExperimentOptions(comparesTables: false);
        var command = new Command(Name, new ReconExperiment().Description)
        {
            theta, contention, policy, storage, accounts, silos, seconds, slice, json, svg
        };
        options.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var scale = options.ScaleOf(parsed);
            var suitable = ReconSettings.Of(scale);
            var settings = suitable with
            {
                Thetas = Numbers(theta, 0, 10) ?? suitable.Thetas,
                ContentionIndexes = Numbers(contention, 0.000001, 1) ?? suitable.ContentionIndexes,
                Policies = parsed.GetValue(policy) is { } names
                    ? [.. CommandInput.Parts(names, policy.Name).Distinct().Select(Known)]
                    : suitable.Policies,
                Storage = Numbers(storage, 0, 1_000) is { } latencies
                    ? [.. latencies.Select(TimeSpan.FromMilliseconds)]
                    : suitable.Storage,
                Records = parsed.WholeOrNone(accounts, 64, 10_000_000) ?? suitable.Records,
                Silos = parsed.WholeOrNone(silos, 1, PolyjuiceTestClusterOptions.MaxSilos) ?? suitable.Silos,
                Measured = parsed.GetValue(seconds) is { } length
                    ? TimeSpan.FromSeconds(CommandInput.Number(length, seconds.Name, 0.05, 3_600))
                    : suitable.Measured,
                Slice = parsed.GetValue(slice) is { } turn
                    ? TimeSpan.FromSeconds(CommandInput.Number(turn, slice.Name, 0.05, 3_600))
                    : suitable.Slice,
            };
            var files = options.FilesOf(parsed) with { Json = parsed.GetValue(json), Svg = parsed.GetValue(svg) };
            return await ExperimentCommand.RunAsync(
                new ReconExperiment(settings), scale, files, parsed.InvocationConfiguration.Output, cancellationToken)
                ? ExitCodes.Done
                : ExitCodes.No;

            double[]? Numbers(Option<string?> option, double least, double most) =>
                parsed.GetValue(option) is { } text
                    ? [
                        .. CommandInput.Parts(text, option.Name)
                        .Select(part => CommandInput.Number(part, option.Name, least, most)).Distinct()
                    ]
                    : null;
        });
        return command;
    }

    private static string Known(string name) =>
        Array.IndexOf(_policies, name) >= 0
            ? name
            : throw new CommandInputException($"--policy: \"{name}\" is not one of {string.Join(", ", _policies)}.");
}
