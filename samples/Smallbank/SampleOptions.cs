using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Polyjuice.Lab.Workloads;
using Polyjuice.LiveView;
using Polyjuice.Policies;
using Polyjuice.Testing;
using Smallbank.Workload;

namespace Smallbank;

/// <summary>The sample's command line.</summary>
internal sealed record SampleOptions
{
    public const string Help = """
        Smallbank under Polyjuice: compares concurrency-control policies on a cluster within this process.

          dotnet run -c Release --project samples/Smallbank -- [options]
          dotnet run -c Release --project samples/Smallbank -- --train [options]

          --train           learns a table, in some six minutes: records the clients, searches on that in virtual
                            time, races what it finds on the cluster with all tables that were there, swaps the
                            winner in under load, and compares it with Orleans' own transactions
          --network-ms X    with --train: each message between silos and clients takes so much longer
                                                                                        (default: 0.5)
          --append-ms X     with --train: each append to a log takes so much longer     (default: 2)
          --budget T        how long --train searches: 90s, 2m                          (default: 45s)
          --out FILE        where --train writes the table                              (default: smallbank-learned.json,
                                                                                        multitransfer-learned.json)

          --policy a,b,…    built-in policies, policy files (*.json), or all            (default: all)
                            with --train: the one in force at first, then those that are compared
                                                                                        (default: ic3, then the best in the race)
          --theta x,y,…     zipfian skew of the choice of accounts; 0 is uniform        (default: 0,0.99; 1.2 with --train)
          --mix NAME        smallbank, or multitransfer (1 payer, 4 payees in parallel) (default: smallbank)
          --clients N       clients, each with one transaction under way                (default: 64; 256 with --train)
          --rate N          an open loop of N arrivals a second instead of clients
          --silos N         silos, all in this process                                  (default: 2)
          --seconds S       measured per policy and skew, in two rounds                 (default: all in about a minute)
                            with --train: in four intervals                             (default: 6)
          --accounts N      accounts to choose from                                     (default: 10,000)
          --seed N          of all random choices                                       (default: 1)
          --data DIR        where what was committed is kept, or memory. The first payment goes on from
                            what the last run left in the default, ./data; the measurements use memory
                            unless this is given, and leave nothing there
          --view [PORT]     a page that shows live what goes on, on this machine        (default port: 5080)
          --help            this text

        Ctrl-C ends early with what has been measured. Exit code 1 when money was not conserved; with
        --train also when a call failed during the swap, and 3 when no better table was found.
        """;

    private static readonly WorkloadCatalogue _mixes = new(
        SmallbankWorkload.Smallbank, SmallbankWorkload.MultiTransfer);

    /// <summary>Options that mean nothing with --train, and why.</summary>
    private static readonly Dictionary<string, string> _notTrained = new()
    {
        ["--rate"] = "replays are a closed loop of --clients.",
        ["--view"] = "the page is of what is measured without it."
    };

    private static readonly TimeSpan _budget = TimeSpan.FromSeconds(45);

    private static readonly OptionList _options = new(
        [
            LearningOptions.Switch, LearningOptions.BudgetOption, LearningOptions.OutOption,
            LearningOptions.NetworkOption, LearningOptions.AppendOption, "--policy", "--theta", "--mix", "--clients",
            "--rate", "--silos", "--seconds", "--accounts", "--seed", "--data", "--view", OptionList.Help
        ],
        LearningOptions.Switch)
    {
        WithOptionalValue = ["--view"]
    };

    public bool IsHelp { get; private init; }

    public LearningOptions Learning { get; private init; } = new();

    /// <summary>As given, or none.</summary>
    public IReadOnlyList<IPolicyCompiler>? Policies { get; private init; }

    /// <summary>As given, or none.</summary>
    public IReadOnlyList<double>? Thetas { get; private init; }

    public WorkloadDefinition Mix { get; private init; } = SmallbankWorkload.Smallbank;

    /// <summary>As given, or none.</summary>
    public int? Clients { get; private init; }

    public double? Rate { get; private init; }

    public int Silos { get; private init; } = 2;

    public double? Seconds { get; private init; }

    public int Accounts { get; private init; } = 10_000;

    public int Seed { get; private init; } = 1;

    /// <summary>As given, or none.</summary>
    public string? Data { get; private init; }

    /// <summary>The port of the live view, if there is to be one.</summary>
    public int? View { get; private init; }

    /// <exception cref="CommandInputException">Something is not valid.</exception>
    public static SampleOptions Parse(IReadOnlyList<string> args)
    {
        if (OptionList.AsksForHelp(args)) return new SampleOptions { IsHelp = true };
        var given = _options.Read(args).ToList();
        var options = given.Aggregate(
            new SampleOptions(), (options, option) => options.With(option.Name, option.Value));
        options.Learning.Check([.. given.Select(option => option.Name)], _notTrained);
        if (options.Learning.IsAsked && options.Thetas is { Count: > 1 })
            throw new CommandInputException(
                $"--theta: one skew with --train, not {options.Thetas.Count}; a table is learned for one workload.");
        return options;
    }

    public LearningPlan ToLearningPlan()
    {
        const double Theta = 1.2;
        const int ManyClients = 256;
        var run = ToPlan() with { Thetas = Thetas ?? [Theta], Clients = Clients ?? ManyClients };
        return Learning.ToPlan(run, Policies, Seconds, _budget, $"{Mix.Name}-learned.json");
    }

    public BenchmarkPlan ToPlan()
    {
        const int Rounds = 2;
        const double BudgetSeconds = 56;
        const double WarmupShare = 0.3;
        var policies = Policies ?? BuiltinPolicies.All;
        var thetas = Thetas ?? [0, 0.99];
        var arms = thetas.Count * (policies.Count + 1);
        var seconds = Seconds ?? Math.Clamp(BudgetSeconds / (arms * (1 + WarmupShare)), 0.5, 10);
        return new BenchmarkPlan
        {
            Workload = Mix,
            Policies = policies,
            Thetas = thetas,
            Shape = new(Silos, TimeSpan.Zero, TimeSpan.Zero, null, Data is null or QuickStart.Memory ? null : Data),
            Clients = Clients ?? 64,
            Rate = Rate,
            Warmup = TimeSpan.FromSeconds(seconds / Rounds * WarmupShare),
            ProcessWarmup = TimeSpan.FromSeconds(Math.Min(4, seconds * arms / 4)),
            Measured = TimeSpan.FromSeconds(seconds / Rounds),
            Repeat = Rounds,
            Parameters = new(Accounts, (ulong)Seed),
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
        "--theta" => this with { Thetas = BenchmarkInput.Thetas(value) },
        "--mix" => this with
        {
            Mix = _mixes.Find(value)
                ?? throw new CommandInputException(
                    $"--mix: there is no \"{value}\". Valid: {string.Join(", ", _mixes.All.Select(m => m.Name))}.")
        },
        "--clients" => this with { Clients = CommandInput.Whole(value, name, 1, 100_000) },
        "--rate" => this with { Rate = CommandInput.Number(value, name, 1, 10_000_000) },
        "--silos" => this with { Silos = CommandInput.Whole(value, name, 1, PolyjuiceTestClusterOptions.MaxSilos) },
        "--seconds" => this with { Seconds = CommandInput.Number(value, name, 0.1, 3_600) },
        "--accounts" => this with { Accounts = CommandInput.Whole(value, name, 8, 10_000_000) },
        "--view" => this with
        {
            View = value.Length == 0 ? LiveViewServerOptions.DefaultPort : CommandInput.Whole(value, name, 0, 65_535)
        },
        "--data" => this with
        {
            Data = value.Length > 0 ? value : throw new CommandInputException("--data: name a folder, or memory.")
        },
        _ => this with { Seed = CommandInput.Whole(value, name, 0, int.MaxValue) },
    };
}
