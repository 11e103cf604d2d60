using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Turns;

/// <summary>
/// Two places of grains where nothing but the search for cycles ends a wait, for the tests of one class: silos, or
/// engines of one silo.
/// </summary>
public abstract class TiedPlaces(int silos, int engines) : IAsyncLifetime
{
    private PolyjuiceTestCluster? _cluster;

    public IGrainFactory Grains => _cluster!.Grains;

    public ITransactionClient Transactions => _cluster!.Transactions;

    public async Task InitializeAsync() => _cluster = await PolyjuiceTestCluster.StartAsync(options =>
    {
        (options.Silos, options.EnginesPerSilo) = (silos, engines);
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

    /// <summary>The key of a counter that nobody has used, in a place.</summary>
    public string Key(int place)
    {
        while (true)
        {
            var key = Guid.NewGuid().ToString();
            if (PlaceOf(_cluster!, Grains.GetGrain<ITied>(key)) == place) return key;
        }
    }

    private protected abstract int PlaceOf(PolyjuiceTestCluster cluster, IGrain grain);
}

/// <summary>Two silos.</summary>
public sealed class TiedSilos() : TiedPlaces(silos: 2, engines: 1)
{
    private protected override int PlaceOf(PolyjuiceTestCluster cluster, IGrain grain) =>
        cluster.SiloOf(grain) == cluster.Silos[0] ? 0 : 1;
}

/// <summary>Two engines of one silo.</summary>
public sealed class TiedEngines() : TiedPlaces(silos: 1, engines: 2)
{
    private protected override int PlaceOf(PolyjuiceTestCluster cluster, IGrain grain)
    {
        var first = cluster.Silos[0].Services.GetRequiredService<PolyjuiceSilo>().Engines[0];
        return first.Places.View.Map.OwnerOf(first.Places.PartitionOf(grain.GetGrainId())) == first.Node ? 0 : 1;
    }
}
