using System.CommandLine;
using Polyjuice.Benchmarking.Clusters;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Benchmarking.Workloads.Ycsb;
using Polyjuice.Cli.Commands;
using Polyjuice.Training.Replay;
using static Polyjuice.Cli.Commands.CommandOptions;

namespace Polyjuice.Cli.Training;

/// <summary>What is replayed, and on what: the options that the commands have in common.</summary>
internal sealed class TrainingOptions
{
    /// <summary>A table that takes more is hopeless: good ones take some hundred.</summary>
    private const long EventsPerTransactionMax = 1_500;

    private readonly Option<string[]> _trace = new("--trace") { Description = "Files of a trace (polyjuice trace record), or folders of them.", HelpName = "files", AllowMultipleArgumentsPerToken = true };
    private readonly Option<string?> _workload = Optional("--workload", "Records a short run of this workload of 'polyjuice bench' first: " + string.Join(", ", BenchCommand.Workloads.All.Where(w => w.HasTransactions).Select(w => w.Name)) + ".");
    private readonly Option<string> _recordWith = Text("--record-with", "occ", "The policy in force while a workload is recorded.");
    private readonly Option<string> _recordSeconds = Text("--record-seconds", "4", "Recorded seconds.");
    private readonly Option<string> _theta = Text("--theta", "0.99", "Zipfian skew of the workload's choice of grains.");
    private readonly Option<string> _accounts = Text("--accounts", "10000", "Grains for the workload to choose from.");
    private readonly Option<string> _warehouses = Text("--warehouses", "1", "Warehouses of tpcc.");
    private readonly Option<string> _scale = Text("--scale", "0.05", "Share of the standard's rows in each warehouse of tpcc, 0.001 to 1.");
    private readonly Option<string> _mix = Text("--mix", "a", "Mix of ycsb: a to f.");
    private readonly Option<string> _operations = Text("--operations", "1", "Operations of a transaction of ycsb, 1 to 64.");
    private readonly Option<string> _clients = Text("--clients", "64", "Clients of the closed loop.");
    private readonly Option<string> _silos = Text("--silos", "2", "Silos.");
    private readonly Option<string> _cores = Text("--cores", "1", "Processors of a silo of the replay.");
    private readonly Option<string> _network = Text("--network-ms", "0", "How long a message between nodes takes, one way.");
    private readonly Option<string> _append = Text("--append-ms", "0", "How long a log append takes.");
    private readonly Option<string> _cost = Text("--cost", "1", "A factor for what all work costs processors in the replay; 'calibrate' fits it to short real runs of the workload.");
    private readonly Option<string?> _transactions = Optional("--transactions", "Measured transactions of a replay; half as many are warm-up on top. Default: 20 for each client, at least 1,200, so that queues fill.");
    private readonly Option<string> _seed = Text("--seed", "1", "Of all random choices.");

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_trace);
        foreach (Option option in (Option[])
            [_workload, _recordWith, _recordSeconds, _theta, _accounts, _warehouses, _scale, _mix, _operations, _clients, _silos, _cores, _network, _append, _cost, _transactions, _seed])
            command.Add(option);
    }

    /// <summary>The seed.</summary>
    public ulong SeedOf(ParseResult parsed) => (ulong)BenchmarkInput.Whole(parsed.GetValue(_seed)!, _seed.Name, 0, int.MaxValue);

    /// <summary>The trace's files, if it was named.</summary>
    public IReadOnlyList<string> FilesOf(ParseResult parsed) => parsed.GetValue(_trace) ?? [];

    /// <summary>The workload that is recorded, or run; <see langword="null"/> if a trace was named instead.</summary>
    /// <exception cref="BenchmarkInputException">Something of it is not valid, or both or none were named.</exception>
    public BenchmarkPlan? RunOf(ParseResult parsed)
    {
        double Number(Option<string> option, double least, double most) => BenchmarkInput.Number(parsed.GetValue(option)!, option.Name, least, most);
        int Whole(Option<string> option, int least, int most) => BenchmarkInput.Whole(parsed.GetValue(option)!, option.Name, least, most);

        if ((parsed.GetValue(_workload) is null) == (FilesOf(parsed).Count == 0)) throw new BenchmarkInputException($"Name either a trace's files with {_trace.Name}, or a workload to be recorded with {_workload.Name}.");
        if (parsed.GetValue(_workload) is not { } name) return null;
        var definition = BenchmarkInput.Workload(BenchCommand.Workloads, name);
        if (!definition.HasTransactions) throw new BenchmarkInputException($"{definition.Name} has no transactions, so there is nothing to train on.");
        var policies = BenchmarkInput.Policies(parsed.GetValue(_recordWith)!);
        if (policies.Count != 1) throw new BenchmarkInputException($"{_recordWith.Name}: one policy, not {policies.Count}.");
        var seed = SeedOf(parsed);
        return new BenchmarkPlan
        {
            Workload = definition,
            Policies = policies,
            Thetas = [Number(_theta, 0, 10)],
            Shape = new ClusterShape(
                Whole(_silos, 1, 64), TimeSpan.FromMilliseconds(Number(_network, 0, 10_000)), TimeSpan.FromMilliseconds(Number(_append, 0, 10_000)), null, seed),
            Clients = Whole(_clients, 1, 100_000),
            Warmup = TimeSpan.FromSeconds(0.5),
            ProcessWarmup = TimeSpan.FromSeconds(2),
            Measured = TimeSpan.FromSeconds(Number(_recordSeconds, 0.1, 3_600)),
            IncludePlain = false,
            Parameters = new WorkloadParameters(Whole(_accounts, 8, 10_000_000), seed)
            {
                Warehouses = Whole(_warehouses, 1, 1_000), Scale = Number(_scale, 0.001, 1), Mix = YcsbMix.Find(parsed.GetValue(_mix)!).Name, Operations = Whole(_operations, 1, 64),
            },
            Seed = seed,
        };
    }

    /// <summary>The replay.</summary>
    /// <exception cref="BenchmarkInputException">Something of it is not valid.</exception>
    public ReplaySettings SettingsOf(ParseResult parsed)
    {
        var clients = BenchmarkInput.Whole(parsed.GetValue(_clients)!, _clients.Name, 1, 100_000);
        var measured = parsed.GetValue(_transactions) is { } count ? BenchmarkInput.Whole(count, _transactions.Name, 100, 10_000_000) : Math.Max(1_200, 20 * clients);
        return new ReplaySettings
        {
            Clients = clients,
            Silos = BenchmarkInput.Whole(parsed.GetValue(_silos)!, _silos.Name, 1, 64),
            CoresPerSilo = BenchmarkInput.Whole(parsed.GetValue(_cores)!, _cores.Name, 1, 64),
            NetworkMicroseconds = (long)(BenchmarkInput.Number(parsed.GetValue(_network)!, _network.Name, 0, 10_000) * 1_000),
            AppendMicroseconds = (long)(BenchmarkInput.Number(parsed.GetValue(_append)!, _append.Name, 0, 10_000) * 1_000),
            Costs = Calibrates(parsed) ? new ReplayCosts() : new ReplayCosts().Scaled(BenchmarkInput.Number(parsed.GetValue(_cost)!, _cost.Name, 0.01, 1_000)),
            Warmup = measured / 2,
            Measured = measured,
            EventsMax = EventsPerTransactionMax * measured,
        };
    }

    /// <summary>Whether costs are to be fitted.</summary>
    public bool Calibrates(ParseResult parsed) => parsed.GetValue(_cost) == "calibrate";
}
