using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.House;

/// <summary>Draws operations, makes them, and keeps books of what it was told.</summary>
internal sealed class HouseClient(HouseWorkload workload, WorkloadCluster cluster, BenchmarkRandom random)
    : IWorkloadClient
{
    private const int DesksPerSilo = 16;

    public Task<OperationOutcome> RunOneAsync() => Choose().RunAsync();

    public WorkloadOperation Choose()
    {
        var phase = workload.Phase;
        var desk = cluster.Grains.GetGrain<IHouseDeskGrain>(random.Next(DesksPerSilo * cluster.SiloCount));
        if (random.Next(100) < phase.PayPercent)
        {
            var (payer, payee) = Two(() => random.Next(workload.Customers));
            var house = random.Next(phase.Houses);
            return new(0, () => EndAsync(desk.Pay(house, payer, payee), HouseWorkload.Amount));
        }

        var keys = workload.Keys.For(phase.Theta);
        var (from, to) = Two(() => keys.Next(random));
        return new(1, () => EndAsync(desk.Move(from, to), 0));
    }

    private (long One, long Other) Two(Func<long> draw)
    {
        var one = draw();
        var other = draw();
        return (one, other == one ? (one + 1) % workload.Customers : other);
    }

    private async Task<OperationOutcome> EndAsync(Task operation, long made)
    {
        var outcome = await Outcomes.OfAsync(operation);
        if (outcome == OperationOutcome.Committed) workload.Books.Committed(made);
        else if (outcome == OperationOutcome.InDoubt) workload.Books.Unknown(0, made);
        return outcome;
    }
}
