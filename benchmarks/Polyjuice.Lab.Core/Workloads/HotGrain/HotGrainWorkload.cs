using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.HotGrain;

/// <summary>
/// One hot grain takes part in every transfer, and its partner lives on another silo (when there is one): the case in
/// which a commit protocol that finishes one transaction before the next pays a round trip and a store for each. Tokens
/// come from nowhere and go nowhere: all grains together always hold none.
/// </summary>
public sealed class HotGrainWorkload(WorkloadParameters parameters) : IWorkload
{
    private const long HotKey = 0;
    private long[] _partners = [];

    /// <summary>The catalogue's entry.</summary>
    public static WorkloadDefinition Definition { get; } = new(
        "hotgrain", "transfers of which one hot grain is always a part, its partner on another silo",
        p => new HotGrainWorkload(p));

    /// <inheritdoc/>
    public Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var hotSilo = SiloOf(cluster, variant, HotKey);
        _partners = [.. Enumerable.Range(1, parameters.Accounts).Select(i => (long)i)
            .Where(key => cluster.SiloCount == 1 || SiloOf(cluster, variant, key) != hotSilo)];
        return Batches.ForEachAsync(_partners.Length, 64, i => CountAsync(cluster, variant, _partners[i]));
    }

    /// <inheritdoc/>
    public IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings) =>
        new Client(cluster, settings, _partners);

    /// <inheritdoc/>
    public async Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant)
    {
        var total = await CountAsync(cluster, variant, HotKey);
        await Batches.ForEachAsync(_partners.Length, 64, async i =>
        {
            // Not `total += await …`: that would read the sum before the wait and lose what others added meanwhile.
            var count = await CountAsync(cluster, variant, _partners[i]);
            total += count;
        });
        return total == 0
            ? new InvariantCheck(true, "tokens conserved: none made, none lost")
            : new InvariantCheck(false, $"TOKENS NOT CONSERVED: all grains together hold {total}, expected 0");
    }

    private static int SiloOf(WorkloadCluster cluster, WorkloadVariant variant, long key) =>
        variant == WorkloadVariant.Plain
            ? cluster.SiloOf(cluster.Grains.GetGrain<IPlainTokenGrain>(key))
            : cluster.SiloOf(cluster.Grains.GetGrain<ITokenGrain>(key));

    private static Task<long> CountAsync(WorkloadCluster cluster, WorkloadVariant variant, long key) =>
        variant == WorkloadVariant.Plain
            ? cluster.Grains.GetGrain<IPlainTokenGrain>(key).Count()
            : cluster.Grains.GetGrain<ITokenGrain>(key).Count();

    private sealed class Client(WorkloadCluster cluster, ClientSettings settings, long[] partners) : IWorkloadClient
    {
        private readonly BenchmarkRandom _random = new(settings.Seed);

        public Task<OperationOutcome> RunOneAsync()
        {
            var partner = partners[_random.Next(partners.Length)];
            var tokens = 1 + _random.Next(10);
            return Outcomes.OfAsync(settings.Variant == WorkloadVariant.Plain
                ? cluster.Grains.GetGrain<IPlainTokenGrain>(partner).Give(HotKey, tokens)
                : cluster.Grains.GetGrain<ITokenGrain>(partner).Give(HotKey, tokens));
        }
    }
}
