using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Tests.Health;

public sealed class SiloHealthTests
{
    [Fact]
    public async Task A_silo_is_healthy_until_its_turn_stands_still_and_as_soon_as_it_goes_on()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1,
            silo => silo.Services.AddHealthChecks()
                .AddPolyjuice(options => options.AnswerTimeout = TimeSpan.FromSeconds(1)));
        var services = cluster.Silos[0].ServiceProvider;
        await cluster.Client.GetGrain<IAccount>(1).Deposit(1);
        var report = await AskAsync(services);
        Assert.True(
            report.Status == HealthStatus.Healthy,
            string.Join("; ", report.Entries.Values.Select(entry => entry.Description)));
        Assert.Equal(["live"], report.Entries["polyjuice-live"].Tags);
        Assert.Equal(["ready"], report.Entries["polyjuice-ready"].Tags);

        var turn = services.GetRequiredService<PolyjuiceSilo>().Engines[^1].Turn;
        var (isHeld, isOver) = (new TaskCompletionSource(), new ManualResetEventSlim());
        var holding = Task.Factory.StartNew(
            () =>
            {
                using (turn.Enter())
                {
                    isHeld.SetResult();
                    isOver.Wait();
                }
            },
            TaskCreationOptions.LongRunning);
        await isHeld.Task;
        Assert.All(
            (await AskAsync(services)).Entries.Values,
            entry => Assert.Equal(HealthStatus.Unhealthy, entry.Status));
        isOver.Set();
        await holding;
        Assert.Equal(HealthStatus.Healthy, (await AskAsync(services)).Status);
    }

    [Fact]
    public async Task A_silo_that_refuses_a_transaction_for_overload_is_degraded()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo => silo
            .Configure<PolyjuiceOptions>(options => (options.OpenTransactions, options.StartWait) = (1, TimeSpan.Zero))
            .Services.AddHealthChecks().AddPolyjuice());
        var services = cluster.Silos[0].ServiceProvider;
        var account = cluster.Client.GetGrain<IAccount>(1);
        await account.Deposit(1);
        Assert.Equal(HealthStatus.Healthy, (await AskAsync(services)).Status);

        Assert.NotNull(services.GetRequiredService<TransactionAdmission>().Overloaded());
        var report = await AskAsync(services);
        Assert.Equal(HealthStatus.Degraded, report.Entries["polyjuice-ready"].Status);
        Assert.Equal(HealthStatus.Healthy, report.Entries["polyjuice-live"].Status);
    }

    [Fact]
    public async Task Options_out_of_their_bounds_are_refused_by_name()
    {
        var services = new ServiceCollection();
        services.AddHealthChecks().AddPolyjuice(options => options.AnswerTimeout = TimeSpan.Zero);
        await using var provider = services.BuildServiceProvider();
        var refused = Assert.Throws<OptionsValidationException>(
            () => provider.GetRequiredService<IOptions<PolyjuiceHealthOptions>>().Value);
        Assert.Contains(nameof(PolyjuiceHealthOptions.AnswerTimeout), refused.Message, StringComparison.Ordinal);
    }

    private static Task<HealthReport> AskAsync(IServiceProvider services) =>
        services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
}
