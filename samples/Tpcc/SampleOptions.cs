using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Testing;
using Tpcc.Workload;

namespace Tpcc;

/// <summary>The sample's command line.</summary>
internal sealed record SampleOptions
{
    public const string Help = """
        TPC-C under Polyjuice: compares concurrency-control policies on a cluster within this process.

          dotnet run -c Release --project samples/Tpcc -- [options]
          dotnet run -c Release --project samples/Tpcc -- --train [options]

          --train           learns a table, in some six minutes: records the terminals, searches on that in virtual
                            time, races what it finds on the cluster with all tables that were there, swaps the
                            winner in under load, and compares it with Orleans' own transactions
          --network-ms X    with --train: each message between silos and clients takes so much longer
                                                                                        (default: 0.5)
          --append-ms X     with --train: each append to a log takes so much longer     (default: 2)
          --budget T        how long --train searches: 90s, 2m                          (default: 45s)
          --out FILE        where --train writes the table                              (default: tpcc-learned.json)

          --policy a,b,…    built-in policies, policy files (*.json), or all            (default: occ,locking,ic3)
                            with --train: the one in force at first, then those that are compared
                                                                                        (default: ic3, then the best in the race)
          --warehouses N    warehouses; fewer of them means more contention             (default: 1)
          --scale X         share of the standard's items, customers and orders, 0.001 to 1; 1 has 100,000
                            items, and 30,000 customers per warehouse                   (default: 0.1; 0.05 with --train)
          --clients N       terminals, each with one transaction under way              (default: 64)
          --think           terminals key in and think as long as the standard's users
          --silos N         silos, all in this process                                  (default: 2)
          --seconds S       measured per policy, in two rounds                          (default: 10)
                            with --train: in four intervals                             (default: 6)
          --seed N          of all random choices                                       (default: 1)
          --data DIR        keeps the logs in files below this folder, which are deleted at the end, or memory
                                                                                        (default: memory)
          --help            this text

        Ctrl-C ends early with what has been measured. Exit code 1 when one of the standard's twelve consistency
        conditions did not hold; with --train also when a call failed during
        the swap, and 3 when no better table was found.
        """;

    private const string Memory = "memory";

    /// <summary>Options that mean nothing with --train, and why.</summary>
    private static readonly Dictionary<string, string> _notTrained = new()
    {
        ["--think"] = "in a replay, clients make their next transaction at once."
    };

    private static readonly TimeSpan _budget = TimeSpan.FromSeconds(45);

    private static readonly OptionList _options = new(
        [
            LearningOptions.Switch, LearningOptions.BudgetOption, LearningOptions.OutOption,
            LearningOptions.NetworkOption, LearningOptions.AppendOption, "--policy", "--warehouses", "--scale",
            "--clients", "--think", "--silos", "--seconds", "--seed", "--data", OptionList.Help
        ],
        "--think", LearningOptions.Switch);

    public bool IsHelp { get; private init; }

    public LearningOptions Learning { get; private init; } = new();

    /// <summary>As given, or none.</summary>
    public IReadOnlyList<IPolicyCompiler>? Policies { get; private init; }

    public int Warehouses { get; private init; } = 1;

    /// <summary>As given, or none.</summary>
    public double? Scale { get; private init; }

    public int Clients { get; private init; } = 64;

    public bool HasThinkTimes { get; private init; }

    public int Silos { get; private init; } = 2;

    /// <summary>As given, or none.</summary>
    public double? Seconds { get; private init; }

    public int Seed { get; private init; } = 1;

    public string Data { get; private init; } = Memory;

    /// <exception cref="CommandInputException">Something is not valid.</exception>
    public static SampleOptions Parse(IReadOnlyList<string> args)
    {
        if (OptionList.AsksForHelp(args)) return new SampleOptions { IsHelp = true };
        var given = _options.Read(args).ToList();
        var options = given.Aggregate(
            new SampleOptions(), (options, option) => options.With(option.Name, option.Value));
        options.Learning.Check([.. given.Select(option => option.Name)], _notTrained);
        return options;
    }

    public LearningPlan ToLearningPlan() => Learning.ToPlan(ToPlan(), Policies, Seconds, _budget, "tpcc-learned.json");

    public BenchmarkPlan ToPlan()
    {
        const int Rounds = 2;
        const double WarmupShare = 0.3;
        var seconds = Seconds ?? 10;
        return new BenchmarkPlan
        {
            Workload = TpccWorkload.Definition,
            Policies = Policies ?? CommandInput.Policies("occ,locking,ic3"),
            Shape = new(Silos, TimeSpan.Zero, TimeSpan.Zero, null, Data == Memory ? null : Data),
            Clients = Clients,
            Warmup = TimeSpan.FromSeconds(seconds / Rounds * WarmupShare),
            
            // What is recorded is what the table is for: code that is compiled.
            ProcessWarmup = TimeSpan.FromSeconds(Learning.IsAsked ? Math.Min(12, 2 * seconds) : Math.Min(4, seconds)),
            Measured = TimeSpan.FromSeconds(seconds / Rounds),
            Repeat = Rounds,
            Parameters = new WorkloadParameters(Seed: (ulong)Seed)
            {
                Warehouses = Warehouses,
                Scale = Scale ?? (Learning.IsAsked ? 0.05 : 0.1),
                HasThinkTimes = HasThinkTimes
            },
            Seed = (ulong)Seed,
        };
    }

    private SampleOptions With(string name, string value) => name switch
    {
        LearningOptions.Switch or LearningOptions.BudgetOption or LearningOptions.OutOption
            or LearningOptions.NetworkOption or LearningOptions.AppendOption =>
            this with
            {
                Learning = Learning.With(name, value)
            },
        "--policy" => this with { Policies = CommandInput.Policies(value) },
        "--warehouses" => this with { Warehouses = CommandInput.Whole(value, name, 1, 1_000) },
        "--scale" => this with { Scale = CommandInput.Number(value, name, 0.001, 1) },
        "--clients" => this with { Clients = CommandInput.Whole(value, name, 1, 100_000) },
        "--think" => this with { HasThinkTimes = true },
        "--silos" => this with { Silos = CommandInput.Whole(value, name, 1, PolyjuiceTestClusterOptions.MaxSilos) },
        "--seconds" => this with { Seconds = CommandInput.Number(value, name, 0.1, 3_600) },
        "--data" => this with
        {
            Data = value.Length > 0 ? value : throw new CommandInputException("--data: name a folder, or memory.")
        },
        _ => this with { Seed = CommandInput.Whole(value, name, 0, int.MaxValue) },
    };
}
