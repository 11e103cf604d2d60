using System.CommandLine;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Calls;
using Polyjuice.Lab.Workloads.Doppel;
using Polyjuice.Lab.Workloads.HotGrain;
using Polyjuice.Lab.Workloads.House;
using Polyjuice.Lab.Workloads.Micro;
using Polyjuice.Lab.Workloads.Rubis;
using Polyjuice.Lab.Workloads.Tpce;
using Polyjuice.Lab.Workloads.Ycsb;
using Polyjuice.LiveView;
using Polyjuice.Policies;
using Smallbank.Workload;
using Tpcc.Workload;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab bench</c></summary>
internal static class BenchCommand
{
    /// <summary>What can be measured; see <see cref="IWorkload"/> for how to add to it.</summary>
    public static WorkloadCatalogue Workloads { get; } = new(
        SmallbankWorkload.Smallbank, SmallbankWorkload.MultiTransfer, TpccWorkload.Definition, MicroWorkload.Definition,
        YcsbWorkload.Definition, TpceWorkload.Definition, IncrementWorkload.Definition, LikeWorkload.Definition,
        RubisWorkload.Bidding, RubisWorkload.Contended, HotGrainWorkload.Definition, HouseWorkload.Definition,
        CallsWorkload.Definition);

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var workload = new Argument<string>("workload")
        {
            Description = "What to measure: " + string.Join("; ", Workloads.All.Select(w => $"{w.Name} ({w.Summary})"))
                + ".",
        };
        var policy = Text(
            "--policy", "all",
            "Policies to compare: names of built-in ones, policy files, or all; separated by commas.");
        var engine = Text(
            "--engine", "polyjuice",
            "Engines to compare, separated by commas: polyjuice (under each policy), polyjuice-ungrouped (the same, "
            + "without the groups that grain classes declare), orleans (its own transactions), orleans-100ms (with "
            + "lock time-outs of so many milliseconds), plain (no transactions).");
        var theta = Text(
            "--theta", "0,0.99", "Zipfian skews of the choice of grains, separated by commas; 0 is uniform.");
        var sizes = new WorkloadOptions();
        var rate = new Option<string?>("--rate")
        {
            Description = "Arrivals a second of an open loop, instead of the closed loop."
        };
        var seconds = Text(
            "--seconds", "5", "Measured seconds per arm and round; a quarter of it (at most 2 s) is warm-up on top.");
        var transactions = Transactions("--transactions", seconds.Name);
        var repeat = Text("--repeat", "3", "Rounds; medians are reported, with the slowest and fastest round.");
        var think = new Option<bool>("--think")
        {
            Description = "Clients of tpcc key in and think as long as the standard's users; in a closed loop."
        };
        var hot = Text(
            "--hot-percent", "10", "Share of the increments of incr1 that are of its hot record, in percent.");
        var write = Text("--write-percent", "50", "Share of the operations of like that write, in percent.");
        var partitions = new Option<string?>("--partitions")
        {
            Description = "Log partitions. Default: as many as engines of all silos."
        };
        var data = new Option<string>("--data", "--storage")
        {
            Description =
                "Keeps the logs in files below this folder, flushed to the disk batch by batch, in memory, or in a "
                + $"server that is started for this: {string.Join(", ", LogServer.Names)}.",
            HelpName = $"folder|memory|{string.Join('|', LogServer.Names)}", DefaultValueFactory = _ => "memory",
        };
        var open = Text(
            "--open", "0",
            "Transactions that a silo opens at a time at the most; 0 for as many as keep its processors busy, which it "
            + "finds out.");
        var checkpoint = new Option<string?>("--checkpoint-kb")
        {
            Description = "Makes a checkpoint when a log has grown by so many KiB. Default: the engine's."
        };
        var noPlain = new Option<bool>("--no-plain")
        {
            Description = "Leaves the plain twins out, and the transaction tax with them."
        };
        var json = new Option<string?>("--json")
        {
            Description = "Writes the rows to this file, as a JSON array.", HelpName = "file"
        };
        var view = new Option<string?>("--view")
        {
            Description =
                "Serves a page on this machine that shows live what goes on. Default port: "
                + $"{LiveViewServerOptions.DefaultPort}.",
            HelpName = "port", Arity = ArgumentArity.ZeroOrOne,
        };
        var command = new Command(
            "bench", "Measures policies on a workload, in interleaved rounds on clusters within this process.")
        {
            workload, engine, policy, theta, rate, seconds, transactions, repeat, think, hot, write, partitions, data,
            open, checkpoint, noPlain, json, view, BenchColdCommand.Create(), BenchRecoveryCommand.Create(),
            BenchTableCommand.Create(),
        };
        sizes.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var clients = sizes.ClientCountsOf(parsed);
            var definition = BenchmarkInput.Workload(Workloads, parsed.GetValue(workload)!);
            var measured = parsed.Number(seconds, 0.1, 3_600);
            var place = parsed.GetValue(data)!;
            await using var server = await LogServer.StartAsync(place);
            var plan = new BenchmarkPlan
            {
                Workload = definition,
                Engines = BenchmarkEngine.ParseList(parsed.GetValue(engine)!, engine.Name),
                Policies = definition.HasTransactions ? CommandInput.Policies(parsed.GetValue(policy)!) : [],
                Thetas = BenchmarkInput.Thetas(parsed.GetValue(theta)!),
                Shape = sizes.ShapeOf(parsed) with
                {
                    Partitions = parsed.WholeOrNone(partitions, 1, 65_536),
                    DataFolder = server is null && place != "memory" ? place : null,
                    Logs = server?.Logs,
                    OpenTransactions = parsed.Whole(open, 0, 1_000_000),
                    CheckpointBytes = parsed.WholeOrNone(checkpoint, 1, 1 << 30) * 1_024L,
                },
                Clients = clients[0],
                ClientCounts = clients.Count > 1 ? clients : [],
                Rate = parsed.NumberOrNone(rate, 1, 10_000_000),
                Warmup = TimeSpan.FromSeconds(Math.Min(2, measured / 4)),
                ProcessWarmup = TimeSpan.FromSeconds(Math.Min(5, measured)),
                ProcessWarmupMax = TimeSpan.FromSeconds(Math.Min(30, 8 * measured)),
                Measured = TimeSpan.FromSeconds(measured),
                OperationsPerInterval = parsed.TransactionsOrNone(transactions),
                Repeat = parsed.Whole(repeat, 1, 1_000),
                IncludePlain = !parsed.GetValue(noPlain),
                Parameters = sizes.ParametersOf(parsed) with
                {
                    HotPercent = parsed.Whole(hot, 0, 100),
                    WritePercent = parsed.Whole(write, 0, 100),
                    HasThinkTimes = parsed.GetValue(think),
                },
                Seed = sizes.SeedOf(parsed),
            };
            if (plan.Engines.FirstOrDefault(
                one => !BenchmarkClusters.CanStart(plan.Shape with { Engine = one })) is { } never)
                throw new CommandInputException(
                    $"{engine.Name}: {never.Name} can't keep its states there, because Orleans has no such storage "
                    + $"provider: leave out {data.Name}.");

            // A file that cannot be written must be known before the minutes, not after.
            if (parsed.GetValue(json) is { } file) await File.WriteAllTextAsync(file, "[]\n", CancellationToken.None);
            var output = parsed.InvocationConfiguration.Output;
            if (parsed.GetResult(view) is null)
                return await RunAsync(plan, parsed.GetValue(json), output, cancellationToken);
            var port = parsed.WholeOrNone(view, 0, 65_535) ?? LiveViewServerOptions.DefaultPort;
            var policies = new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"));
            await using var page = await StandaloneLiveView.StartAsync(
                policies, port, $"polyjuice-lab bench {definition.Name}", cancellationToken);
            await output.WriteLineAsync($"The live view: {page.Address}");
            return await RunAsync(
                plan with { Shape = plan.Shape with { PolicyStore = policies } },
                parsed.GetValue(json),
                output,
                cancellationToken);
        });
        return command;
    }

    private static async Task<int> RunAsync(
        BenchmarkPlan plan, string? jsonFile, TextWriter output, CancellationToken cancellationToken)
    {
        var result = await BenchmarkDisplay.RunAsync(output, plan, BenchmarkClusters.StartAsync, cancellationToken);
        if (jsonFile is not null)
            await File.WriteAllTextAsync(jsonFile, RowJson.Write(result.Rows), CancellationToken.None);
        return result.InvariantHeld ? ExitCodes.Done : ExitCodes.No;
    }
}
