using System.Globalization;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Doppel;

/// <summary>
/// INCR1 of Doppel (Narula's thesis, §7.2): each transaction adds one to one record; a share of them to the same.
/// Doppel splits that record among cores, because additions commute; here a participant takes them one after the other,
/// many to a batch of the log.
/// </summary>
public sealed class IncrementWorkload(WorkloadParameters parameters) : IWorkload
{
    private const long HotKey = 0;
    private const int Concurrency = 64;
    private readonly List<Client> _clients = [];

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "incr1",
        "increments of one record each, --hot-percent of them of the same",
        parameters => new IncrementWorkload(parameters),
        ReportsTax: false)
    {
        HasPlainTwins = false,
        HasSkew = false,
        Describe = parameters => string.Create(
            CultureInfo.InvariantCulture,
            $"{parameters.Accounts:N0} records, {parameters.HotPercent}% of the increments of one"),
    };

    /// <inheritdoc/>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) => Task.CompletedTask;

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings)
    {
        var client = new Client(cluster, parameters, new BenchmarkRandom(settings.Seed));
        _clients.Add(client);
        return client;
    }

    /// <summary>The hot record, and all others together, count as many increments as clients were told of.</summary>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var cold = await Batches.SumAsync(
            _clients.SelectMany(client => client.Touched),
            Concurrency,
            key => cluster.Grains.GetGrain<IIncrementGrain>(key).Count());
        return Judge(
            await cluster.Grains.GetGrain<IIncrementGrain>(HotKey).Count(),
            Tally.Sum(_clients.Select(client => client.Hot)),
            cold,
            Tally.Sum(_clients.Select(client => client.Cold)));
    }

    internal static InvariantCheck Judge(long hot, Tally hotTold, long cold, Tally coldTold)
    {
        var wrong = new List<string>();
        hotTold.Compare("increments of the hot record", hot, wrong);
        coldTold.Compare("increments of the others", cold, wrong);
        return InvariantCheck.Of(
            wrong,
            string.Create(
                CultureInfo.InvariantCulture,
                $"records count the {hot + cold:N0} increments that clients were told of, {hot:N0} of them of "
                + $"the hot one"),
            "INCREMENTS ARE WRONG");
    }

    private sealed class Client(
        WorkloadCluster cluster, WorkloadParameters parameters, BenchmarkRandom random) : IWorkloadClient
    {
        public Tally Hot { get; } = new();

        public Tally Cold { get; } = new();

        public HashSet<long> Touched { get; } = [];

        public async Task<OperationOutcome> RunOneAsync()
        {
            var isHot = random.Next(100) < parameters.HotPercent;
            var key = isHot ? HotKey : 1 + random.Next(parameters.Accounts - 1);
            if (!isHot) Touched.Add(key);
            var outcome = await Outcomes.OfAsync(cluster.Grains.GetGrain<IIncrementGrain>(key).Add());
            (isHot ? Hot : Cold).Book(outcome);
            return outcome;
        }
    }
}
