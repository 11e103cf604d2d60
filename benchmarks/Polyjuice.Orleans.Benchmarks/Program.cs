using System.Diagnostics;
using System.Globalization;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Orleans.Benchmarks;
using Smallbank.Grains;

// Side by side on the same Orleans, interleaved: --engines orleans,occ --workloads smallbank --theta 0,0.99 --clients 64 --silos 1 --seconds 4 --rounds 1
var options = new Dictionary<string, string>
{
    ["engines"] = "orleans,occ", ["workloads"] = "smallbank", ["theta"] = "0", ["clients"] = "64", ["silos"] = "1", ["seconds"] = "4", ["rounds"] = "1", ["accounts"] = "10000", ["partitions"] = "0",
};
for (var i = 0; i + 1 < args.Length; i += 2) options[args[i].TrimStart('-')] = args[i + 1];
string[] List(string name) => options[name].Split(',');
double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

var port = 21_000 + (Environment.ProcessId % 500);
Console.WriteLine("| workload | θ | clients | silos | engine | committed/s | failed/s | p50 µs | p99 µs | CPU µs each |");
Console.WriteLine("|---|---|---|---|---|---|---|---|---|---|");
foreach (var workload in List("workloads"))
foreach (var silos in List("silos").Select(int.Parse))
foreach (var theta in List("theta").Select(Number))
foreach (var clients in List("clients").Select(int.Parse))
for (var round = 0; round < int.Parse(options["rounds"], CultureInfo.InvariantCulture); round++)
foreach (var engine in List("engines"))
{
    var partitions = int.Parse(options["partitions"], CultureInfo.InvariantCulture);
    var parameters = new BenchmarkCase(engine, workload, theta, clients, silos, int.Parse(options["accounts"], CultureInfo.InvariantCulture), partitions == 0 ? silos : partitions);
    await MeasureAsync(parameters, Number(options["seconds"]), port += 2 * silos);
}

static async Task MeasureAsync(BenchmarkCase parameters, double seconds, int port)
{
    await using var cluster = await BankCluster.StartAsync(parameters, port);
    var grains = cluster.Grains;
    await Parallel.ForAsync(0, parameters.Accounts, new ParallelOptions { MaxDegreeOfParallelism = 32 }, async (key, _) =>
    {
        if (parameters.IsPlain) await grains.GetGrain<IPlainAccountGrain>(key).Open(1_000_000, 1_000_000);
        else await grains.GetGrain<IAccountGrain>(key).Open(1_000_000, 1_000_000);
    });
    var keys = new ZipfianGenerator(parameters.Accounts, parameters.Theta, 7);
    BankClient[] callers = [.. Enumerable.Range(0, parameters.Clients).Select(i => new BankClient(grains, parameters, keys, new BenchmarkRandom(BenchmarkRandom.Derive(1, (ulong)i))))];
    using var stop = new CancellationTokenSource();
    Task[] running = [.. callers.Select(caller => Task.Run(() => caller.RunAsync(stop.Token)))];
    await Task.Delay(TimeSpan.FromSeconds(Math.Min(2, seconds / 2)));
    foreach (var caller in callers) caller.IsMeasuring = true;
    var cpu = Process.GetCurrentProcess().TotalProcessorTime;
    var watch = Stopwatch.StartNew();
    await Task.Delay(TimeSpan.FromSeconds(seconds));
    foreach (var caller in callers) caller.IsMeasuring = false;
    var elapsed = watch.Elapsed.TotalSeconds;
    cpu = Process.GetCurrentProcess().TotalProcessorTime - cpu;
    stop.Cancel();
    await Task.WhenAll(running);
    var committed = callers.Sum(caller => caller.Committed);
    var latencies = callers.SelectMany(caller => caller.Latencies).Order().ToArray();
    double At(double quantile) => latencies.Length == 0 ? 0 : latencies[(int)((latencies.Length - 1) * quantile)];
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
        $"| {parameters.Workload} | {parameters.Theta} | {parameters.Clients} | {parameters.Silos} | {parameters.Engine} | {committed / elapsed:N0} | {callers.Sum(caller => caller.Failed) / elapsed:N0} | {At(0.5):N0} | {At(0.99):N0} | {cpu.TotalMicroseconds / Math.Max(1, committed):N0} |"));
}
