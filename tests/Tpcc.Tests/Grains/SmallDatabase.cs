using Orleans;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Tpcc.Consistency;
using Tpcc.Grains;
using Tpcc.Schema;
using Tpcc.Workload;

namespace Tpcc.Tests.Grains;

/// <summary>A loaded database of two warehouses that nobody else uses.</summary>
internal sealed class SmallDatabase : IAsyncDisposable
{
    private readonly IBenchmarkCluster _cluster;
    private readonly TpccWorkload _workload;

    private SmallDatabase(IBenchmarkCluster cluster, TpccWorkload workload) =>
        (_cluster, _workload) = (cluster, workload);

    public DatabaseSize Size => _workload.Size;

    public static async Task<SmallDatabase> CreateAsync()
    {
        var cluster = await BenchmarkClusters.StartAsync(new ClusterShape(2, TimeSpan.Zero, TimeSpan.Zero, null));
        cluster.Swap(BuiltinPolicies.Get("occ"));
        var workload = (TpccWorkload)TpccWorkload.Definition.Create(new WorkloadParameters
        {
            Warehouses = 2, Scale = 0.001
        });
        await cluster.RunOnClientAsync(() => workload.LoadAsync(cluster.View, WorkloadVariant.Transactional));
        return new SmallDatabase(cluster, workload);
    }

    public IWarehouseGrain Warehouse(int warehouse) => _cluster.View.Grains.GetGrain<IWarehouseGrain>(warehouse);

    public IDistrictGrain District(int warehouse, int district) =>
        _cluster.View.Grains.GetGrain<IDistrictGrain>(Keys.District(warehouse, district));

    public IStockGrain Stock(int warehouse, int item) =>
        _cluster.View.Grains.GetGrain<IStockGrain>(Keys.Stock(warehouse, item));

    public ICustomerGrain Customer(int warehouse, int district, int id) =>
        _cluster.View.Grains.GetGrain<ICustomerGrain>(Keys.Customer(warehouse, district, id));

    public Task RunAsync(Func<Task> body) => _cluster.RunOnClientAsync(body);

    public async Task<DatabaseRows> ReadAsync()
    {
        DatabaseRows? rows = null;
        await RunAsync(async () => rows = await DatabaseReader.ReadAsync(_cluster.View.Grains, Size, _ => { }));
        return rows!;
    }

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();
}
