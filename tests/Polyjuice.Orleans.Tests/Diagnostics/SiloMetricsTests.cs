using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Policies;

namespace Polyjuice.Orleans.Tests.Diagnostics;

public sealed class SiloMetricsTests : IAsyncLifetime
{
    private const string Failures = "polyjuice.transaction.failures";

    private InProcessTestCluster? _cluster;

    private IClusterClient Client => _cluster!.Client;

    private IServiceProvider Silo => _cluster!.Silos[0].ServiceProvider;

    // Whoever meets a holder waits, until its time is up.
    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        1,
        silo => silo.Configure<PolyjuiceOptions>(options =>
        {
            options.Policy = "locking";
            options.Engine.TransactionTimeoutMicroseconds = 1_000_000;
        }),
        client => client.UsePolyjuice());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Fact]
    public async Task A_silo_measures_with_the_meter_of_its_host()
    {
        var seen = new ConcurrentDictionary<string, Meter>();
        using var listener = Listen(Silo, (instrument, _) => seen[instrument.Name] = instrument.Meter);
        await Client.GetGrain<IAccount>(1).Deposit(1);
        listener.RecordObservableInstruments();

        string[] expected =
        [
            "polyjuice.commits", "polyjuice.log.append.size", "polyjuice.policy.version",
            "polyjuice.transactions.open", "polyjuice.calls.unanswered",
        ];
        Assert.Empty(expected.Except(seen.Keys));
        var meter = Assert.Single(seen.Values.Distinct());
        var policies = Silo.GetRequiredService<PolicyStore>();
        Assert.True(policies.IsMeasuredBy(meter));
        using var other = new Meter("Polyjuice");
        Assert.False(policies.IsMeasuredBy(other));
    }

    [Fact]
    public async Task A_client_counts_what_has_failed_for_it_and_not_what_it_has_wanted()
    {
        var failures = new ConcurrentQueue<string>();
        using var listener = Listen(Client.ServiceProvider, (instrument, text) => failures.Enqueue(text), Failures);
        var transactions = Client.ServiceProvider.GetRequiredService<ITransactionClient>();
        var account = Client.GetGrain<IAccount>(2);
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => account.Withdraw(1));
        await transactions.RunTransaction(TransactionOption.Create, () => Task.FromResult(false));
        Assert.Empty(failures);

        await WhileHeldAsync(2, async () =>
        {
            await Assert.ThrowsAsync<TransactionConflictException>(() => account.Deposit(1));
            await Assert.ThrowsAsync<TransactionConflictException>(
                () => transactions.RunTransaction(TransactionOption.Create, () => account.Deposit(1)));
        });

        Assert.Equal(["timeout IAccount.Deposit", "timeout Client"], failures);
    }

    [Fact]
    public async Task A_silo_counts_what_has_failed_for_its_own_code()
    {
        var (own, clients) = (new ConcurrentQueue<string>(), new ConcurrentQueue<string>());
        using var listener = Listen(Silo, (_, text) => own.Enqueue(text), Failures);
        using var elsewhere = Listen(Client.ServiceProvider, (_, text) => clients.Enqueue(text), Failures);
        var account = Silo.GetRequiredService<IGrainFactory>().GetGrain<IAccount>(3);
        var transactions = Silo.GetRequiredService<ITransactionClient>();
        await WhileHeldAsync(3, () => Assert.ThrowsAsync<TransactionConflictException>(
            () => transactions.RunTransaction(TransactionOption.Create, () => account.Deposit(1))));

        Assert.Equal(["timeout Client"], own);
        Assert.Empty(clients);
    }

    // The holder's time is longer than that of those who wait for it.
    private async Task WhileHeldAsync(long key, Func<Task> body)
    {
        var (isHeld, isOver) = (NewSignal(), NewSignal());
        var account = Silo.GetRequiredService<IGrainFactory>().GetGrain<IAccount>(key);
        var client = Silo.GetRequiredService<ITransactionClient>();
        var holding = ((TransactionClient)client).RunAsync(
            "Holder",
            async () =>
            {
                await account.Deposit(1);
                isHeld.TrySetResult();
                await isOver.Task;
                return true;
            },
            useExclusiveLock: false,
            timeout: 25_000_000);
        await await Task.WhenAny(isHeld.Task, holding);
        await body();
        isOver.SetResult();
        await holding;
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static MeterListener Listen(IServiceProvider host, Action<Instrument, string> measured, string? name = null)
    {
        var factory = host.GetRequiredService<IMeterFactory>();
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter.Name == "Polyjuice" && ReferenceEquals(instrument.Meter.Scope, factory)
                    && (name is null || instrument.Name == name)) self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) => measured(instrument, TextOf(tags)));
        listener.SetMeasurementEventCallback<int>((instrument, _, tags, _) => measured(instrument, TextOf(tags)));
        listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => measured(instrument, TextOf(tags)));
        listener.Start();
        return listener;
    }

    private static string TextOf(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var values = new List<object?>();
        foreach (var tag in tags) values.Add(tag.Value);
        return string.Join(' ', values);
    }
}
