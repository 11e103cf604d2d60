using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Transactions;
using Polyjuice.Orleans.Outboxes;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Policies;

namespace Polyjuice.Orleans.Tests.Outboxes;

public sealed class OutboxTests : IAsyncLifetime
{
    private readonly Mailbox _mail = new();
    private readonly Mailbox _other = new();
    private global::Orleans.TestingHost.InProcessTestCluster? _cluster;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        2,
        silo => silo.AddOutboxSender("mail", _ => _mail).AddOutboxSender("other", _ => _other)
            .Configure<PolyjuiceOptions>(options =>
            {
                (options.Outbox.AttemptsMax, options.Outbox.RetryDelay) = (3, TimeSpan.FromMilliseconds(1));
                (options.Outbox.MessageBytes, options.Outbox.LaneBytes) = (2_000, 4_000);
            }),
        client => client.UsePolyjuice());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Theory]
    [InlineData("occ")]
    [InlineData("ic3")]
    [InlineData("locking")]
    [InlineData("dirty-public")]
    public async Task Messages_of_a_grain_come_once_and_in_the_order_of_their_commits(string policy)
    {
        foreach (var silo in _cluster!.Silos)
            silo.ServiceProvider.GetRequiredService<PolicyStore>().Swap(BuiltinPolicies.Get(policy));

        await Task.WhenAll(Enumerable.Range(0, 60).Select(call => Shipper(call % 6).Ship("mail", $"{call}")));
        await _mail.WhenCame(60);

        for (var shipper = 0; shipper < 6; shipper++) Assert.Equal(Enumerable.Range(1, 10), _mail.NumbersOf(shipper));
        Assert.Equal(60, _mail.Sent.Length);
        Assert.Equal(60, _mail.Texts.Distinct().Count());
        Assert.All(_mail.Sent, message => Assert.Equal(("mail", 1), (message.Sender, message.Attempt)));
        Assert.All(_mail.Sent, message => Assert.InRange(message.Id.Length, 1, 64));
    }

    [Fact]
    public async Task A_transaction_of_several_grains_sends_the_messages_of_all()
    {
        await Shipper(1).ShipBoth(2, "mail", "both");
        await Shipper(1).ShipAll("other", ["a", "b"]);
        await Task.WhenAll(_mail.WhenCame(2), _other.WhenCame(2));

        Assert.Equal(["both", "both"], _mail.Texts);
        Assert.Equal(["a", "b"], _other.Texts);
    }

    [Fact]
    public async Task What_is_aborted_sends_nothing()
    {
        var transactions = _cluster!.Client.ServiceProvider.GetRequiredService<ITransactionClient>();
        await Assert.ThrowsAsync<OrleansTransactionAbortedException>(() => Shipper(1).ShipAndThrow("mail", "thrown"));
        await transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await Shipper(1).Ship("mail", "declined");
            return false;
        });
        await transactions.RunTransaction(TransactionOption.Create, () => Shipper(1).Ship("mail", "committed"));
        await Shipper(1).Ship("mail", "last");
        await _mail.WhenCame(2);

        Assert.Equal(["committed", "last"], _mail.Texts);
        Assert.Equal([1, 2], _mail.NumbersOf(1));
    }

    [Fact]
    public async Task A_sender_that_fails_gets_the_message_again_and_the_next_ones_after_it()
    {
        var failures = 2;
        _mail.Before = (message, _) => ((Shipment)message.Content).Number == 1 && failures-- > 0
            ? Task.FromException(new IOException("Nobody answers."))
            : Task.CompletedTask;

        await Shipper(1).ShipAll("mail", ["1", "2", "3"]);
        await _mail.WhenCame(3);

        Assert.Equal(["1", "2", "3"], _mail.Texts);
        Assert.Equal([3, 1, 1], _mail.Sent.Select(message => message.Attempt));
    }

    [Fact]
    public async Task Other_grains_and_other_senders_do_not_wait_for_one_that_hangs()
    {
        var held = new TaskCompletionSource();
        _mail.Before = (message, _) => ((Shipment)message.Content).Text == "held" ? held.Task : Task.CompletedTask;
        await Shipper(1).ShipAll("mail", ["held", "behind"]);
        await Shipper(1).Ship("other", "elsewhere");
        for (var shipper = 2; shipper < 40; shipper++) await Shipper(shipper).Ship("mail", "free");

        await Task.WhenAll(_other.WhenCame(1), _mail.WhenCame(38));
        Assert.DoesNotContain("behind", _mail.Texts);
        while (Pending != 2) await Task.Delay(10);

        held.SetResult();
        await _mail.WhenCame(40);
        Assert.Equal([1, 2], _mail.NumbersOf(1));
        while (Pending != 0) await Task.Delay(10);
    }

    [Fact]
    public async Task A_message_that_no_attempt_can_send_is_parked_and_the_next_ones_go_on()
    {
        var isClosed = true;
        _mail.Before = (message, _) => isClosed && ((Shipment)message.Content).Text == "poison"
            ? Task.FromException(new IOException("Nobody takes this."))
            : Task.CompletedTask;
        var parking = _cluster!.GetSiloServiceProvider().GetRequiredService<IOutboxParking>();

        await Shipper(1).ShipAll("mail", ["first", "poison", "last"]);
        await _mail.WhenCame(2);

        Assert.Equal(["first", "last"], _mail.Texts);
        var parked = Assert.Single(await parking.ListAsync());
        Assert.Equal("mail", parked.Sender);
        Assert.True(parked.ContentBytes > 0);

        while (Parked != 1) await Task.Delay(10);

        isClosed = false;
        Assert.True(await parking.SendAgainAsync(parked.Id));
        await _mail.WhenCame(3);
        Assert.Equal((parked.Id, "poison"), (_mail.Sent[^1].Id, _mail.Texts[^1]));
        Assert.Empty(await parking.ListAsync());
        Assert.False(await parking.SendAgainAsync(parked.Id));
        await Assert.ThrowsAsync<ArgumentException>(() => parking.DropAsync("none"));
        while (Parked != 0) await Task.Delay(10);
    }

    [Fact]
    public async Task A_parked_message_can_be_dropped()
    {
        _mail.Before = static (_, _) => Task.FromException(new IOException("Nobody takes this."));
        var parking = _cluster!.GetSiloServiceProvider().GetRequiredService<IOutboxParking>();
        await Shipper(1).Ship("mail", "poison");
        await Shipper(1).Ship("other", "behind");

        IReadOnlyList<ParkedMessage> parked;
        while ((parked = await parking.ListAsync()).Count == 0) await Task.Delay(10);

        Assert.True(await parking.DropAsync(parked[0].Id));
        Assert.Empty(await parking.ListAsync());
        await _other.WhenCame(1);
        Assert.Empty(_mail.Sent);
    }

    [Fact]
    public async Task A_message_that_waits_is_told_with_its_age()
    {
        var held = new TaskCompletionSource();
        _mail.Before = (_, _) => held.Task;
        await Shipper(1).Ship("mail", "first");
        await Shipper(1).Ship("mail", "second");
        while (Pending != 2) await Task.Delay(10);

        var ages = OutboxTelemetry.Read(_cluster!, "polyjuice.outbox.age");
        Assert.Single(ages, age => age > 0);
        while (OutboxTelemetry.Read(_cluster!, "polyjuice.outbox.age").Max() <= ages.Max()) await Task.Delay(10);

        held.SetResult();
        await _mail.WhenCame(2);
        while (Pending != 0) await Task.Delay(10);
        Assert.All(OutboxTelemetry.Read(_cluster!, "polyjuice.outbox.age"), age => Assert.Equal(0, age));
    }

    [Fact]
    public void Each_sender_is_told_of_before_it_has_sent_anything()
    {
        using var told = new OutboxTelemetry();
        using var metrics = new OutboxMetrics();

        metrics.Knows("mail");

        Assert.Equal(
            [
                ("polyjuice.outbox.failures", "mail"), ("polyjuice.outbox.parked", "mail"),
                ("polyjuice.outbox.sent", "mail"),
            ],
            told.SendersOf(metrics));
    }

    [Fact]
    public async Task Transactions_that_enqueue_nothing_give_the_watch_nothing_to_look_at()
    {
        await _cluster!.Client.GetGrain<IAccount>(1).Deposit(1);
        Assert.All(_cluster.Silos, silo => Assert.False(HasWatched(silo)));

        await Shipper(1).Ship("mail", "x");
        await _mail.WhenCame(1);
        var watched = Assert.Single(_cluster.Silos, HasWatched);
        var states = new List<string>();
        watched.ServiceProvider.GetRequiredService<WatchedLanes>().Read((state, _) => states.Add(state.State));
        Assert.Equal([OutboxLane.Pending], states);
    }

    [Fact]
    public async Task A_silo_without_senders_has_no_watch()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1);
        Assert.Null(cluster.GetSiloServiceProvider().GetService<OutboxWatch>());
    }

    [Fact]
    public async Task What_can_not_be_enqueued_is_refused_and_aborts()
    {
        var unknown = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Shipper(1).Ship("nobody", "x"));
        Assert.Contains("AddOutboxSender", unknown.InnerException?.Message, StringComparison.Ordinal);
        var large = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Shipper(1).Ship("mail", new('x', 2_000)));
        Assert.Contains("MessageBytes", large.InnerException?.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<OrleansTransactionException>(() => Shipper(1).ShipOutside("mail"));
        Assert.Equal(0, await Shipper(1).Count());
    }

    [Fact]
    public async Task Where_too_much_waits_already_nothing_is_enqueued()
    {
        var held = new TaskCompletionSource();
        _mail.Before = (_, _) => held.Task;
        for (var i = 0; i < 3; i++) await Shipper(1).Ship("mail", new('x', 1_000));
        var full = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Shipper(1).Ship("mail", new('x', 1_000)));
        Assert.IsType<OutboxFullException>(full.InnerException);

        held.SetResult();
        await _mail.WhenCame(3);
        Assert.Equal([1, 2, 3], _mail.NumbersOf(1));
    }

    private long Pending =>
        _cluster!.Silos.Sum(silo => silo.ServiceProvider.GetRequiredService<OutboxMetrics>().Pending.Messages);

    private long Parked =>
        _cluster!.Silos.Sum(silo => silo.ServiceProvider.GetRequiredService<OutboxMetrics>().Present.Messages);

    private static bool HasWatched(global::Orleans.TestingHost.InProcessSiloHandle silo) =>
        silo.ServiceProvider.GetRequiredService<PolyjuiceSilo>().Engines.Any(engine => engine.Engine.HasWatched);

    private IShipper Shipper(long key) => _cluster!.Client.GetGrain<IShipper>(key);
}
