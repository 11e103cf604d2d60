using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Benchmarks.Plain;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Silos in this process, and the callers beside the first of them.</summary>
internal sealed class BankCluster(StorageDelay delay) : IAsyncDisposable
{
    private readonly List<IHost> _silos = [];

    public IGrainFactory Grains => _silos[0].Services.GetRequiredService<IGrainFactory>();

    /// <inheritdoc cref="StorageDelay.Calls"/>
    public long StorageCalls => delay.Calls;

    /// <summary>Storage is slow from now on, if it is to be.</summary>
    public void BeginDelay() => delay.Begin();

    public static async Task<BankCluster> StartAsync(BenchmarkCase parameters, Arm arm, int port)
    {
        var delay = new StorageDelay(parameters.StorageMilliseconds, parameters.StorageFormat);
        var logs = new SlowLogs(new MemoryLogStore(parameters.Partitions, takesCheckpoints: true), delay);
        var cluster = new BankCluster(delay);
        for (var i = 0; i < parameters.Silos; i++)
        {
            var number = i;
            var builder = Host.CreateApplicationBuilder();
            builder.Logging.ClearProviders();
            builder.UseOrleans(silo =>
            {
                silo.UseLocalhostClustering(port + number, port + 1_000 + number, number == 0 ? null : new IPEndPoint(IPAddress.Loopback, port), "bench", "bench" + port);
                if (arm.IsOrleans) AddOrleans(silo, arm, delay);
                else if (arm.Policy is { } policy) AddPolyjuice(silo, arm, policy, logs, delay);
                if (arm.HasIncomingFilter) silo.AddIncomingGrainCallFilter<PassingFilter>();
                if (arm.HasOutgoingFilter) silo.AddOutgoingGrainCallFilter<PassingFilter>();
            });
            var host = builder.Build();
            await host.StartAsync();
            cluster._silos.Add(host);
        }

        return cluster;
    }

    private static void AddOrleans(ISiloBuilder silo, Arm arm, StorageDelay delay)
    {
        delay.AddGrainStorage(silo);
        silo.UseTransactions();
        if (arm.LockMilliseconds is not { } milliseconds) return;
        silo.Configure<TransactionalStateOptions>(options => options.LockTimeout = options.LockAcquireTimeout = TimeSpan.FromMilliseconds(milliseconds));
    }

    private static void AddPolyjuice(ISiloBuilder silo, Arm arm, string policy, SlowLogs logs, StorageDelay delay)
    {
        if (arm.IsInRows) delay.AddGrainStorage(silo);
        silo.Services.AddKeyedSingleton<ILogStoreProvider>(PolyjuiceOptions.DefaultLogProvider, logs);
        silo.UsePolyjuice(options =>
        {
            options.Policy = policy;
            options.StateStorage = arm.IsInRows ? StateStorage.Provider : StateStorage.Log;
        });
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var silo in _silos)
        {
            await silo.StopAsync();
            silo.Dispose();
        }
    }
}
