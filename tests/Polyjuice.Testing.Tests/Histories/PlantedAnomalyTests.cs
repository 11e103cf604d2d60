using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Transactions.Abstractions;
using Polyjuice.Isolation;
using Polyjuice.Policies;

namespace Polyjuice.Testing.Tests.Histories;

/// <summary>
/// An engine with a mistake must be found, by the mistake's name:
/// the recorder looks at data, and not at what an engine says of it.
/// </summary>
public sealed class PlantedAnomalyTests
{
    [Fact]
    public async Task An_update_that_is_built_on_an_old_version_is_a_lost_update()
    {
        var report = await RunAsync(Mistake.StaleUpdate, async cluster =>
        {
            await cluster.Grains.GetGrain<ILedger>(1).Note("a");
            await cluster.Grains.GetGrain<ILedger>(1).Note("a");
            await cluster.Grains.GetGrain<ILedger>(1).Note("a");
        });

        Assert.False(report.IsValid);
        Assert.Contains(AnomalyKind.LostUpdate, report.Counts.Keys);
    }

    [Fact]
    public async Task A_read_of_what_an_aborted_transaction_wrote_is_an_aborted_read()
    {
        var report = await RunAsync(Mistake.KeepsAborted, async cluster =>
        {
            await Assert.ThrowsAnyAsync<Exception>(() => cluster.Grains.GetGrain<ILedger>(1).Overdraw(2));
            await cluster.Grains.GetGrain<ILedger>(1).Read();
        });

        Assert.False(report.IsValid);
        Assert.Contains(AnomalyKind.G1a, report.Counts.Keys);
    }

    private static async Task<IsolationReport> RunAsync(Mistake mistake, Func<PolyjuiceTestCluster, Task> run)
    {
        var recorder = new HistoryRecorder();
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = 1;
            options.PolicyCompiler = BuiltinPolicies.Get("occ");
            options.ConfigureSilo = silo =>
            {
                // Between the engine and the recorder.
                var inner = silo.Services.Last(service => service.ServiceType == typeof(ITransactionalStateFactory));
                silo.Services.Remove(inner);
                silo.Services.AddSingleton<ITransactionalStateFactory>(
                    provider => new MistakenStateFactory(
                        (ITransactionalStateFactory)inner.ImplementationFactory!(provider), mistake));
                silo.RecordHistory(recorder);
            };
        });
        await run(cluster);
        return recorder.Judge();
    }
}
