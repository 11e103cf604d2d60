using System.CommandLine;
using Polyjuice.Benchmarking.Experiments;
using Polyjuice.Benchmarking.Experiments.Recon;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Cli.Experiments;
using static Polyjuice.Cli.Commands.CommandOptions;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice experiment recon</c></summary>
internal static class ExperimentReconCommand
{
    /// <summary>The experiment's name. It has more options than others.</summary>
    public const string Name = "recon";

    private static readonly string[] _policies = ["run", "dry-run", "reserve", "declared", "auto", "auto-declared", "locking", "occ", "dirty-public"];

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var theta = Text("--theta", "0,0.6,0.9,0.99,1.2,1.5", "Zipfian skews of the transfers, separated by commas.");
        var contention = Text("--contention", "0.0001,0.001,0.01,0.1,1", "Contention indexes of Calvin's micro-benchmark, separated by commas: one over the number of hot records of a partition.");
        var policy = Text("--policy", "run,dry-run,reserve,declared,auto,auto-declared,locking", $"What is compared, separated by commas, of: {string.Join(", ", _policies)}.");
        var storage = Text("--storage-ms", "0,10", "Latencies of a grain's load and a log's append, separated by commas.");
        var accounts = Text("--accounts", "10000", "Records to choose from.");
        var clients = Text("--clients", "64", "Transactions at a time.");
        var silos = Text("--silos", "2", "Silos, each with a thread of its own.");
        var seconds = Text("--seconds", "2", "Measured seconds per arm and round.");
        var repeat = Text("--repeat", "3", "Rounds; medians are reported, with the least and the most.");
        var seed = Text("--seed", "1", "Of all random choices.");
        var transactions = new Option<string?>("--transactions") { Description = "Ends a measurement after so many transactions instead of by time, without a warm-up." };
        var quick = new Option<bool>("--quick") { Description = "A few points, a third of a second each: whether it works, not what it comes to." };
        var folder = new Option<string?>("--out", "-o") { Description = "Writes recon.json, recon.svg and index.html into this folder.", HelpName = "folder" };
        var json = new Option<string?>("--json") { Description = "Writes all points to this file.", HelpName = "file" };
        var svg = new Option<string?>("--svg") { Description = "Draws the curves into this file.", HelpName = "file" };
        var command = new Command(Name, "Measures dry runs and reservations: transfers under growing skew, on warm and cold grains, with fast and slow storage, and Calvin's contention micro-benchmark.")
        {
            theta, contention, policy, storage, accounts, clients, silos, seconds, transactions, repeat, seed, quick, json, svg, folder,
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            int Whole(Option<string> option, int least, int most) => BenchmarkInput.Whole(parsed.GetValue(option)!, option.Name, least, most);
            double[] Numbers(Option<string> option, double least, double most) =>
                [.. BenchmarkInput.Parts(parsed.GetValue(option)!, option.Name).Select(part => BenchmarkInput.Number(part, option.Name, least, most)).Distinct()];

            var isQuick = parsed.GetValue(quick);
            bool IsSaid(Option<string> option) => parsed.GetResult(option) is { Implicit: false };
            var settings = new ReconSettings
            {
                Thetas = isQuick && !IsSaid(theta) ? [0, 0.99, 1.5] : Numbers(theta, 0, 10),
                ContentionIndexes = isQuick && !IsSaid(contention) ? [0.01, 1] : Numbers(contention, 0.000001, 1),
                Policies = [.. BenchmarkInput.Parts(parsed.GetValue(policy)!, policy.Name).Distinct().Select(Known)],
                Storage = [.. Numbers(storage, 0, 1_000).Select(TimeSpan.FromMilliseconds)],
                Records = isQuick && !IsSaid(accounts) ? 1_000 : Whole(accounts, 64, 10_000_000),
                Clients = Whole(clients, 1, 100_000),
                Silos = Whole(silos, 1, 64),
                Measured = TimeSpan.FromSeconds(isQuick && !IsSaid(seconds) ? 0.3 : BenchmarkInput.Number(parsed.GetValue(seconds)!, seconds.Name, 0.05, 3_600)),
                Transactions = parsed.GetValue(transactions) is { } count ? BenchmarkInput.Whole(count, transactions.Name, 1, int.MaxValue) : null,
                Seed = (ulong)Whole(seed, 0, int.MaxValue),
            };
            var rounds = isQuick && !IsSaid(repeat) ? 1 : Whole(repeat, 1, 1_000);
            var scale = (isQuick ? ExperimentScale.Quick : ExperimentScale.Full) with { Rounds = rounds };
            var files = new ExperimentFiles { Json = parsed.GetValue(json), Svg = parsed.GetValue(svg), Folder = parsed.GetValue(folder) };
            return await ExperimentCommand.RunAsync(new ReconExperiment(settings), scale, files, parsed.InvocationConfiguration.Output, cancellationToken) ? ExitCodes.Done : ExitCodes.No;
        });
        return command;
    }

    private static string Known(string name) => Array.IndexOf(_policies, name) >= 0 ? name : throw new BenchmarkInputException($"--policy: \"{name}\" is not one of {string.Join(", ", _policies)}.");
}
