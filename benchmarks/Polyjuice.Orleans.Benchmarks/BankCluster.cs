using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>Silos in this process, and the callers beside the first of them.</summary>
internal sealed class BankCluster : IAsyncDisposable
{
    private readonly List<IHost> _silos = [];

    public IGrainFactory Grains => _silos[0].Services.GetRequiredService<IGrainFactory>();

    public IServiceProvider Services => _silos[0].Services;

    public static async Task<BankCluster> StartAsync(BenchmarkCase parameters, int port)
    {
        var cluster = new BankCluster();
        for (var i = 0; i < parameters.Silos; i++)
        {
            var number = i;
            var builder = Host.CreateApplicationBuilder();
            builder.Logging.ClearProviders();
            builder.UseOrleans(silo =>
            {
                silo.UseLocalhostClustering(port + number, port + 1_000 + number, number == 0 ? null : new IPEndPoint(IPAddress.Loopback, port), "bench", "bench" + port);
                if (parameters.Engine == "orleans") silo.AddMemoryGrainStorageAsDefault().UseTransactions();
                else if (parameters.Policy is { } policy)
                    silo.UsePolyjuice(options => options.Policy = policy).AddMemoryLogAsDefault(options => options.Partitions = parameters.Partitions);
            });
            var host = builder.Build();
            await host.StartAsync();
            cluster._silos.Add(host);
        }

        return cluster;
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
