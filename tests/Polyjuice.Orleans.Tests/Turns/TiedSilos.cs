using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Turns;

/// <summary>Two silos on which nothing but the search for cycles ends a wait, for the tests of one class.</summary>
public sealed class TiedSilos : IAsyncLifetime
{
    private PolyjuiceTestCluster? _cluster;

    public IGrainFactory Grains => _cluster!.Grains;

    public ITransactionClient Transactions => _cluster!.Transactions;

    public async Task InitializeAsync() => _cluster = await PolyjuiceTestCluster.StartAsync(options =>
    {
        options.Silos = 2;
        options.Policy = "locking";
        options.ResponseTimeout = TimeSpan.FromMinutes(4);
        options.ConfigureEngine = engine =>
        {
            engine.TransactionTimeoutMicroseconds = 180_000_000;
            engine.WaitDeadlineMicroseconds = 170_000_000;
        };
        options.ConfigureSilo = silo =>
            silo.Configure<PolyjuiceOptions>(polyjuice => polyjuice.NonReentrantWait = TimeSpan.FromMinutes(3));
    });

    public async Task DisposeAsync()
    {
        if (_cluster is not null) await _cluster.DisposeAsync();
    }

    /// <summary>The key of a counter that nobody has used, on a silo.</summary>
    public string Key(int silo)
    {
        while (true)
        {
            var key = Guid.NewGuid().ToString();
            if (_cluster!.SiloOf(Grains.GetGrain<ITied>(key)) == _cluster.Silos[silo]) return key;
        }
    }
}
