using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Transactions;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Outboxes;

/// <summary>What has happened to silos makes no difference to which messages come.</summary>
public sealed class OutboxFaultTests
{
    private const int Shippers = 6;
    private const int Receiver = 60_000;

    private readonly Mailbox _mail = new();

    [Fact]
    public async Task Nothing_is_sent_before_the_commit_is_durable()
    {
        await using var cluster = await StartAsync(1, options => options.ResponseTimeout = TimeSpan.FromMinutes(1));
        await cluster.Grains.GetGrain<IShipper>(1).Ship("mail", "first");
        await _mail.WhenCame(1);
        var isDurable = false;
        _mail.Before = (_, _) => Volatile.Read(ref isDurable)
            ? Task.CompletedTask
            : Task.FromException(new InvalidOperationException("It is sent too early."));
        var silo = cluster.Silos[0];
        silo.Log.Hold();
        var attempts = silo.Observed.Statistics!.Attempts;

        // It has run, and its lane was looked at since.
        var shipping = cluster.Grains.GetGrain<IShipper>(1).Ship("mail", "second");
        while (silo.Observed.Statistics!.Attempts < attempts + 2) await Task.Delay(10);
        Volatile.Write(ref isDurable, true);
        silo.Log.Release();

        await shipping;
        await _mail.WhenCame(2);
        Assert.Equal([1, 1], _mail.Sent.Select(message => message.Attempt));
    }

    [Fact]
    public async Task Messages_that_were_not_sent_are_sent_after_all_silos_have_crashed()
    {
        _mail.Before = static (_, cancellation) => Task.Delay(Timeout.InfiniteTimeSpan, cancellation);
        await using var cluster = await StartAsync(silos: 2);
        for (var shipper = 0; shipper < Shippers; shipper++)
        {
            for (var i = 0; i < 3; i++) await cluster.Grains.GetGrain<IShipper>(shipper).Ship("mail", "x");
        }

        Assert.Empty(_mail.Sent);
        await Task.WhenAll(cluster.Silos.Select(silo => silo.CrashAsync()));
        _mail.Before = static (_, _) => Task.CompletedTask;
        await cluster.StartSiloAsync();
        await cluster.WhenServedAsync();

        await _mail.WhenCame(3 * Shippers);
        for (var shipper = 0; shipper < Shippers; shipper++) Assert.Equal([1, 2, 3], _mail.NumbersOf(shipper));
    }

    [Fact]
    public async Task A_silo_that_had_nothing_to_look_at_goes_on_for_one_that_has_crashed()
    {
        _mail.Before = static (_, cancellation) => Task.Delay(Timeout.InfiniteTimeSpan, cancellation);
        await using var cluster = await StartAsync(silos: 2);
        var crashes = cluster.Silos[0];
        var (grains, owners) = (cluster.Grains, crashes.Engine);
        var shippers = Enumerable.Range(0, 100).Select(key => grains.GetGrain<IShipper>(key))
            .Where(shipper => Equals(owners.OwnerOf(shipper.GetGrainId()), crashes.Address)).Take(3).ToArray();
        foreach (var shipper in shippers) await shipper.Ship("mail", "x");
        Assert.All(
            cluster.Silos[1].Services.GetRequiredService<PolyjuiceSilo>().Engines,
            engine => Assert.False(engine.Engine.HasWatched));

        await crashes.CrashAsync();
        _mail.Before = static (_, _) => Task.CompletedTask;
        await cluster.WhenServedAsync();

        await _mail.WhenCame(shippers.Length);
        Assert.Equal(
            shippers.Select(shipper => shipper.GetGrainId()).Order(),
            _mail.Sent.Select(message => message.Source).Order());
    }

    [Fact]
    public async Task A_message_that_was_taken_is_sent_again_under_its_id_if_its_silo_dies_before_that_is_recorded()
    {
        await using var cluster = await StartAsync(silos: 1);
        var silo = cluster.Silos[0];
        _mail.Before = (_, _) =>
        {
            silo.Log.Hold();
            return Task.CompletedTask;
        };
        await cluster.Grains.GetGrain<IShipper>(1).Ship("mail", "x");
        await _mail.WhenSent(1);

        await silo.CrashAsync();
        _mail.Before = static (_, _) => Task.CompletedTask;
        await cluster.StartSiloAsync();
        await _mail.WhenSent(2);

        Assert.Equal(_mail.Sent[0].Id, _mail.Sent[1].Id);
        Assert.Equal([1], _mail.NumbersOf(1));
    }

    [Theory]
    [InlineData("occ", 21)]
    [InlineData("ic3", 22)]
    public async Task Each_message_has_its_effect_once_under_faults(string policy, int seed)
    {
        const int Faults = 10;
        await using var cluster = await StartAsync(
            3, options => (options.Policy, options.RecordsHistory) = (policy, true));
        cluster.Faults = new ClusterFaults { Seed = seed, FaultsMax = 14 }
            .Every(FaultKind.Crash, TimeSpan.FromSeconds(1)).Every(FaultKind.Disconnection, TimeSpan.FromSeconds(0.5))
            .Every(FaultKind.Deposition, TimeSpan.FromSeconds(3)).Every(FaultKind.BatchLoss, TimeSpan.FromSeconds(1))
            .Every(FaultKind.AppendFailure, TimeSpan.FromSeconds(1));

        // A quick machine has made them all before the first fault.
        do await cluster.RunAsync(ShipAsync, options => options.Calls = 120);
        while (cluster.FaultLedger!.Entries.Count < Faults);
        await cluster.SettleAsync();
        var counts = new int[2 * Shippers];
        for (var shipper = 0; shipper < counts.Length; shipper++)
            counts[shipper] = await cluster.Grains.GetGrain<IShipper>(shipper).Count();
        await _mail.WhenCame(counts.Sum());

        // In the order of commits, each once as far as the receiver can tell, and none of what has aborted.
        for (var shipper = 0; shipper < counts.Length; shipper++)
            Assert.Equal(Enumerable.Range(1, counts[shipper]), _mail.NumbersOf(shipper));
        Assert.DoesNotContain("never", _mail.Texts);
        Assert.Equal(counts.Sum(), await cluster.Grains.GetGrain<ITill>(Receiver).Total());
        Assert.True(counts.Sum() > 20);
        await cluster.RequireAsync();

        static Task ShipAsync(WorkloadClient client)
        {
            var shipper = client.Grains.GetGrain<IShipper>(client.Random.Next(Shippers));
            return client.Random.Next(4) switch
            {
                0 => shipper.ShipAndThrow("till", "never"),
                1 => shipper.ShipBoth(Shippers + client.Random.Next(Shippers), "till", "both"),
                _ => shipper.Ship("till", "one"),
            };
        }
    }

    private Task<PolyjuiceTestCluster> StartAsync(int silos, Action<PolyjuiceTestClusterOptions>? configure = null) =>
        PolyjuiceTestCluster.StartAsync(options =>
        {
            (options.Silos, options.Partitions, options.ResponseTimeout) = (silos, 6, TimeSpan.FromSeconds(3));
            options.ConfigureSilo = silo => silo
                .AddOutboxSender("mail", _ => _mail)
                .AddOutboxSender(
                    "till", services => new TillSender(services.GetRequiredService<IGrainFactory>(), _mail))
                .Configure<PolyjuiceOptions>(polyjuice => polyjuice.Outbox.AttemptsMax = 1_000);
            configure?.Invoke(options);
        });

    /// <summary>Pays a till for each message; the till knows messages by their ids.</summary>
    private sealed class TillSender(IGrainFactory grains, Mailbox log) : IOutboxSender
    {
        public async Task SendAsync(OutboxMessage message, CancellationToken cancellationToken)
        {
            using (IdempotencyKey.Use(message.Id)) await grains.GetGrain<ITill>(Receiver).Pay(1);
            await log.SendAsync(message, cancellationToken);
        }
    }
}
