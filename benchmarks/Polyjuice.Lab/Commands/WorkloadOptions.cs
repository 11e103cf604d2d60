using System.CommandLine;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Ycsb;
using Polyjuice.Testing;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary>
/// How large a workload and its cluster are: the options that all commands that run one have in common.
/// </summary>
/// <param name="scale">Share of the standard's rows of tpcc, if nothing is said.</param>
internal sealed class WorkloadOptions(string scale = "1")
{
    private readonly Option<string> _clients = Text(
        "--clients", "64", "Clients of the closed loop; bench compares several numbers, separated by commas.");
    private readonly Option<string> _silos = Text("--silos", "2", "Silos of the cluster in this process.");
    private readonly Option<string> _engines = Text("--engines-per-silo", "1", "Transaction engines of each silo.");
    private readonly Option<string> _accounts = Text("--accounts", "10000", "Grains to choose from.");
    private readonly Option<string> _warehouses = Text(
        "--warehouses", "1", "Warehouses of tpcc; fewer of them means more contention.");
    private readonly Option<string> _scale = Text(
        "--scale", scale, "Share of the standard's items, customers and orders in each warehouse of tpcc, 0.001 to 1.");
    private readonly Option<string> _mix = Text("--mix", "a", "Mix of ycsb: a to f.");
    private readonly Option<string> _operations = Text(
        "--operations", "1", "Operations of a transaction of ycsb, 1 to 64.");
    private readonly Option<string> _network = Text(
        "--network-ms", "0", "Latency added to every message between nodes, one way.");
    private readonly Option<string> _append = Text("--append-ms", "0", "Latency added to every log append.");
    private readonly Option<string> _seed = Text("--seed", "1", "Of all random choices.");

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in (Option<string>[])[
            _clients, _silos, _engines, _accounts, _warehouses, _scale, _mix, _operations, _network, _append, _seed
        ])
            command.Add(option);
    }

    /// <summary>Of all random choices.</summary>
    /// <exception cref="CommandInputException">It is not valid; so with all of these.</exception>
    public ulong SeedOf(ParseResult parsed) => (ulong)parsed.Whole(_seed, 0, int.MaxValue);

    /// <summary>Clients of the closed loop.</summary>
    public int ClientsOf(ParseResult parsed) => parsed.Whole(_clients, 1, 100_000);

    /// <summary>The same where several numbers may be compared, separated by commas.</summary>
    public IReadOnlyList<int> ClientCountsOf(ParseResult parsed) =>
        BenchmarkInput.ClientCounts(parsed.GetValue(_clients)!);

    /// <summary>The cluster: what is said of its silos and latencies.</summary>
    public ClusterShape ShapeOf(ParseResult parsed) =>
        new(
            parsed.Whole(_silos, 1, PolyjuiceTestClusterOptions.MaxSilos), parsed.Milliseconds(_network),
            parsed.Milliseconds(_append), null)
        {
            EnginesPerSilo = parsed.Whole(_engines, 1, 16),
        };

    /// <summary>The workload's sizes.</summary>
    public WorkloadParameters ParametersOf(
        ParseResult parsed) => new(parsed.Whole(_accounts, 8, 10_000_000), SeedOf(parsed))
    {
        Warehouses = parsed.Whole(_warehouses, 1, 1_000),
        Scale = parsed.Number(_scale, 0.001, 1),
        Mix = YcsbMix.Find(parsed.GetValue(_mix)!).Name,
        Operations = parsed.Whole(_operations, 1, 64),
    };
}
