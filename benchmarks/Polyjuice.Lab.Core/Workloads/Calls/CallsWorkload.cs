using Orleans.Runtime;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Calls;

/// <summary>
/// Plain call trees of two grains (client to grain to grain and back): how fast the host itself is. A slow host would
/// flatter the transaction tax.
/// </summary>
public sealed class CallsWorkload(WorkloadParameters parameters) : IWorkload
{
    private readonly SkewedKeys _keys = new(parameters.Accounts, parameters.Seed);
    private long _wrongAnswers;

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "calls", "plain call trees of two grains, no transactions: Orleans' own speed",
        p => new CallsWorkload(p), HasTransactions: false, ReportsTax: false);

    /// <inheritdoc/>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant) =>
        Batches.ForEachAsync(parameters.Accounts, 64, key => cluster.Grains.GetGrain<IRelayGrain>(key).Next(0));

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings) =>
        new Client(this, cluster, _keys.For(settings.Theta), new BenchmarkRandom(settings.Seed));

    /// <inheritdoc/>
    public Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant) =>
        Task.FromResult(_wrongAnswers == 0
            ? new InvariantCheck(true, "every answer was right")
            : new InvariantCheck(false, $"{_wrongAnswers} ANSWERS WERE WRONG"));

    private sealed class Client(
        CallsWorkload workload, WorkloadCluster cluster, ZipfianGenerator keys,
        BenchmarkRandom random) : IWorkloadClient
    {
        public async Task<OperationOutcome> RunOneAsync()
        {
            var number = (long)(random.Next() >> 2);
            try
            {
                var answer = await cluster.Grains.GetGrain<IRelayGrain>(keys.Next(random))
                    .Relay(keys.Next(random), number);
                if (answer != number + 1) workload._wrongAnswers++;
                return OperationOutcome.Committed;
            }
            catch (Exception e) when (e is TimeoutException or SiloUnavailableException)
            {
                return OperationOutcome.InDoubt;
            }
        }
    }
}
