using Orleans;
using Orleans.Runtime;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads;
using Polyjuice.Testing;
using Tpcc.Consistency;
using Tpcc.Workload;

namespace Tpcc.Tests;

/// <summary>
/// Silos die under load, with their logs in files. Half a New-Order, Payment or Delivery would break one of the
/// conditions, and so would one that was acknowledged and is lost:
/// orders and payments that clients were told of are counted.
/// </summary>
public sealed class SiloKillTests : IDisposable
{
    private const int Clients = 8;
    private const int Kills = 4;
    private const int CommitsBetweenKills = 40;
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-tpcc-").FullName;

    // Clients, loader and reader of the workload share what they count, and therefore one thread.
    private readonly ClientLoop _clients = new();
    private TpccWorkload _workload = null!;

    public void Dispose()
    {
        _clients.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("ic3", 1)]
    [InlineData("locking", 1)]
    [InlineData("dirty-public", 4)]
    [InlineData("occ", 4)]
    public async Task All_conditions_hold_when_silos_are_killed_and_when_the_files_alone_are_left(
        string policy, int warehouses)
    {
        _workload = (TpccWorkload)TpccWorkload.Definition.Create(new WorkloadParameters
        {
            Warehouses = warehouses, Scale = 0.001
        });
        var outcomes = new int[Enum.GetValues<OperationOutcome>().Length, Mix.Types.Count];
        await using (var cluster = await StartAsync(policy))
        {
            await _clients.RunAsync(() => _workload.LoadAsync(View(cluster), WorkloadVariant.Transactional));
            using var stop = new CancellationTokenSource();
            var progress = new SemaphoreSlim(0);
            var load = _clients.RunAsync(
                () => Task.WhenAll(
                    Enumerable.Range(0, Clients)
                        .Select(client => RunAsync(cluster, client, outcomes, progress, stop.Token))));
            for (var kill = 0; kill < Kills; kill++)
            {
                for (var i = 0; i < CommitsBetweenKills; i++)
                {
                    var commit = progress.WaitAsync(TimeSpan.FromMinutes(2));
                    Assert.Same(commit, await Task.WhenAny(commit, load));
                    Assert.True(await commit, "nothing committed for two minutes");
                }

                await cluster.Silos[kill % 2].CrashAsync();
                await cluster.StartSiloAsync();
            }

            await stop.CancelAsync();
            await load;
            Verify(await ReadAsync(cluster), outcomes);
        }

        await using var recovered = await StartAsync(policy);
        Verify(await ReadAsync(recovered), outcomes);
    }

    private async Task RunAsync(
        PolyjuiceTestCluster cluster, int index, int[,] outcomes, SemaphoreSlim progress, CancellationToken stop)
    {
        var client = _workload.CreateClient(
            View(cluster), new ClientSettings(WorkloadVariant.Transactional, 0, (ulong)index, index));
        while (!stop.IsCancellationRequested)
        {
            var operation = client.Choose();
            var outcome = await operation.RunAsync();
            outcomes[(int)outcome, operation.Type]++;
            if (outcome == OperationOutcome.Committed) progress.Release();
        }
    }

    private void Verify(DatabaseRows rows, int[,] outcomes)
    {
        Assert.Empty(ConsistencyConditions.Check(rows));
        int Told(OperationOutcome outcome, int type) => outcomes[(int)outcome, type];

        // Committed at least, and at most what is in doubt on top.
        var orders = rows.Districts.Values.Sum(d => d.Orders.Count) - (rows.Districts.Count * _workload.Size.Customers);
        Assert.InRange(
            orders,
            Told(OperationOutcome.Committed, Mix.NewOrder),
            Told(OperationOutcome.Committed, Mix.NewOrder) + Told(OperationOutcome.InDoubt, Mix.NewOrder));
        var payments = rows.Districts.Values.Sum(
            d => d.Payments.Count) - (rows.Districts.Count * _workload.Size.Customers);
        Assert.InRange(
            payments,
            Told(OperationOutcome.Committed, Mix.Payment),
            Told(OperationOutcome.Committed, Mix.Payment) + Told(OperationOutcome.InDoubt, Mix.Payment));
        Assert.True(orders > 0 && payments > 0);
    }

    // At one moment: what is in doubt may still land, and separate reads would see half of it.
    private async Task<DatabaseRows> ReadAsync(PolyjuiceTestCluster cluster)
    {
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                DatabaseRows? rows = null;
                await _clients.RunAsync(() => cluster.Transactions.RunTransaction(
                    TransactionOption.Create,
                    async () => rows = await DatabaseReader.ReadAsync(cluster.Grains, _workload.Size, _ => { })));
                return rows!;
            }
            catch (Exception exception) when (attempt < 5 && exception is OrleansException or TimeoutException)
            {
            }
        }
    }

    private Task<PolyjuiceTestCluster> StartAsync(string policy) => PolyjuiceTestCluster.StartAsync(options =>
    {
        options.Partitions = 4;
        options.Policy = policy;
        options.ResponseTimeout = TimeSpan.FromSeconds(10);
        options.DataFolder = _folder;
    });

    private static WorkloadCluster View(PolyjuiceTestCluster cluster) =>
        new(cluster.Grains, _ => 0, cluster.Silos.Count);
}
