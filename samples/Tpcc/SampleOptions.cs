using Polyjuice.Benchmarking.Running;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Policies;
using Tpcc.Workload;

namespace Tpcc;

/// <summary>The sample's command line.</summary>
internal sealed record SampleOptions
{
    public const string Help = """
        TPC-C under Polyjuice: compares concurrency-control policies on a cluster within this process.

          dotnet run -c Release --project samples/Tpcc -- [options]

          --policy a,b,…    built-in policies, policy files (*.json), or all            (default: occ,locking,ic3)
          --warehouses N    warehouses; fewer of them means more contention             (default: 1)
          --scale X         share of the standard's items, customers and orders, 0.001 to 1; 1 has 100,000
                            items, and 30,000 customers per warehouse                   (default: 0.1)
          --clients N       terminals, each with one transaction under way              (default: 64)
          --think           terminals key in and think as long as the standard's users
          --silos N         silos, all in this process                                  (default: 2)
          --seconds S       measured per policy, in two rounds                          (default: 10)
          --seed N          of all random choices                                       (default: 1)
          --data DIR        keeps the logs in files below this folder, which are deleted at the end, or memory
                                                                                        (default: memory)
          --help            this text

        Ctrl-C ends early with what has been measured. Exit code 1 when one of the standard's twelve consistency
        conditions did not hold.
        """;

    private const string Memory = "memory";

    private static readonly OptionList _options = new(["--policy", "--warehouses", "--scale", "--clients", "--think", "--silos", "--seconds", "--seed", "--data", OptionList.Help], "--think");

    public bool IsHelp { get; private init; }

    public IReadOnlyList<IPolicyCompiler> Policies { get; private init; } = BenchmarkInput.Policies("occ,locking,ic3");

    public int Warehouses { get; private init; } = 1;

    public double Scale { get; private init; } = 0.1;

    public int Clients { get; private init; } = 64;

    public bool HasThinkTimes { get; private init; }

    public int Silos { get; private init; } = 2;

    public double Seconds { get; private init; } = 10;

    public int Seed { get; private init; } = 1;

    public string Data { get; private init; } = Memory;

    /// <exception cref="BenchmarkInputException">Something is not valid.</exception>
    public static SampleOptions Parse(IReadOnlyList<string> args) => OptionList.AsksForHelp(args)
        ? new SampleOptions { IsHelp = true }
        : _options.Read(args).Aggregate(new SampleOptions(), (options, option) => options.With(option.Name, option.Value));

    public BenchmarkPlan ToPlan()
    {
        const int Rounds = 2;
        const double WarmupShare = 0.3;
        return new BenchmarkPlan
        {
            Workload = TpccWorkload.Definition,
            Policies = Policies,
            Shape = new(Silos, TimeSpan.Zero, TimeSpan.Zero, null, (ulong)Seed, Data == Memory ? null : Data),
            Clients = Clients,
            Warmup = TimeSpan.FromSeconds(Seconds / Rounds * WarmupShare),
            ProcessWarmup = TimeSpan.FromSeconds(Math.Min(4, Seconds)),
            Measured = TimeSpan.FromSeconds(Seconds / Rounds),
            Repeat = Rounds,
            Parameters = new WorkloadParameters(Seed: (ulong)Seed) { Warehouses = Warehouses, Scale = Scale, HasThinkTimes = HasThinkTimes },
            Seed = (ulong)Seed,
        };
    }

    private SampleOptions With(string name, string value) => name switch
    {
        "--policy" => this with { Policies = BenchmarkInput.Policies(value) },
        "--warehouses" => this with { Warehouses = BenchmarkInput.Whole(value, name, 1, 1_000) },
        "--scale" => this with { Scale = BenchmarkInput.Number(value, name, 0.001, 1) },
        "--clients" => this with { Clients = BenchmarkInput.Whole(value, name, 1, 100_000) },
        "--think" => this with { HasThinkTimes = true },
        "--silos" => this with { Silos = BenchmarkInput.Whole(value, name, 1, 64) },
        "--seconds" => this with { Seconds = BenchmarkInput.Number(value, name, 0.1, 3_600) },
        "--data" => this with { Data = value.Length > 0 ? value : throw new BenchmarkInputException("--data: name a folder, or memory.") },
        _ => this with { Seed = BenchmarkInput.Whole(value, name, 0, int.MaxValue) },
    };
}
