using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>
/// Calls that wait where they are made, from a client or silo that may have one unanswered, whose place the test takes.
/// </summary>
public sealed class UnansweredCallsTests
{
    private static long s_lastKey = 10_000;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_call_beyond_the_limit_is_sent_when_another_one_has_ended(bool isFromSilo)
    {
        var received = new Received();
        await using var cluster = await StartAsync(received);
        var (unanswered, grains) = isFromSilo ? OfSilo(cluster) : OfClient(cluster);
        await TakePlace(unanswered);
        var call = grains.GetGrain<INesting>(NextKey()).Begin();
        Assert.Equal((1, 1), (unanswered.Open, unanswered.Held));
        Assert.Equal(0, received.Calls);

        unanswered.Leave(mayWait: true);
        await call;

        Assert.Equal(1, received.Calls);
        Assert.Equal((0, 0), (unanswered.Open, unanswered.Held));
    }

    [Fact]
    public async Task A_call_that_has_waited_for_too_long_is_not_sent_and_its_caller_hears_that_silos_are_overloaded()
    {
        var received = new Received();
        await using var cluster = await StartAsync(received, client => client.Configure<PolyjuiceClientOptions>(Wait));
        var (unanswered, grains) = OfClient(cluster);
        await TakePlace(unanswered);

        var call = grains.GetGrain<INesting>(NextKey()).Begin();

        var refusal = await Assert.ThrowsAsync<OrleansStartTransactionFailedException>(() => call);
        Assert.IsType<OrleansTransactionOverloadException>(refusal.InnerException);
        Assert.Equal(0, received.Calls);
        Assert.Equal((1, 0, 1), (unanswered.Open, unanswered.Held, unanswered.Refused));

        static void Wait(PolyjuiceClientOptions options) => options.StartWait = TimeSpan.FromMilliseconds(50);
    }

    [Fact]
    public async Task A_call_waits_no_longer_than_its_caller_for_an_answer()
    {
        await using var cluster = await StartAsync(new Received(), client => client.Configure<ClientMessagingOptions>(
            messaging => messaging.ResponseTimeout = TimeSpan.FromMilliseconds(500)));
        var (unanswered, grains) = OfClient(cluster);
        await TakePlace(unanswered);

        var call = grains.GetGrain<INesting>(NextKey()).Begin();

        await Assert.ThrowsAsync<OrleansStartTransactionFailedException>(() => call);
    }

    [Fact]
    public async Task A_call_that_is_cancelled_while_it_waits_is_not_sent()
    {
        var received = new Received();
        await using var cluster = await StartAsync(received);
        var (unanswered, grains) = OfClient(cluster);
        await TakePlace(unanswered);
        using var caller = new CancellationTokenSource();
        var call = grains.GetGrain<IPatient>(NextKey()).DepositAndWait(NextKey(), caller.Token);

        await caller.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        unanswered.Leave(mayWait: true);
        await grains.GetGrain<INesting>(NextKey()).Begin();
        Assert.Equal(1, received.Calls);
    }

    [Fact]
    public async Task A_call_that_a_transaction_waits_for_does_not_wait()
    {
        await using var cluster = await StartAsync(new Received());
        var key = NextKey();
        var (ofClient, grains) = OfClient(cluster);
        await TakePlace(OfSilo(cluster).Unanswered);
        var outer = grains.GetGrain<INesting>(key).StartAnother();
        await NestingGrain.Reached(key);
        NestingGrain.Release(key);
        await outer;

        await TakePlace(ofClient);
        await cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>()
            .RunTransaction(TransactionOption.Create, () => grains.GetGrain<INesting>(NextKey()).Begin());

        Assert.Equal((1, 0), (ofClient.Open, ofClient.Held));
    }

    [Fact]
    public async Task A_call_that_fails_gives_its_place_back()
    {
        await using var cluster = await StartAsync(new Received());
        var (unanswered, grains) = OfClient(cluster);

        await Assert.ThrowsAnyAsync<Exception>(() => grains.GetGrain<IAccount>(NextKey()).Withdraw(5));

        Assert.Equal((0, 0), (unanswered.Open, unanswered.Held));
        await grains.GetGrain<INesting>(NextKey()).Begin();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_answer_says_that_its_transaction_has_waited_to_whoever_understands_it(bool usesPolyjuice)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1, silo => silo.Services.Configure<PolyjuiceOptions>(OnePlace),
            client =>
            {
                if (usesPolyjuice) client.UsePolyjuice();
            });
        var open = cluster.GetSiloServiceProvider().GetRequiredService<OpenTransactions>();
        var account = cluster.Client.GetGrain<IAccount>(NextKey());
        await account.Deposit(5);
        if (usesPolyjuice) Assert.Equal(UnansweredLimit.First, OfClient(cluster).Unanswered.Limit);
        await TakePlace(open);
        var call = account.GetBalance();
        await WhenHeldAsync(open);
        await Task.Delay(2 * UnansweredLimit.LongWait);
        open.Leave(mayWait: true);

        Assert.Equal(5, await call);

        if (usesPolyjuice) Assert.Equal(UnansweredLimit.First - 1, OfClient(cluster).Unanswered.Limit);

        static void OnePlace(PolyjuiceOptions options)
        {
            options.OpenTransactions = 1;
            options.StartWait = TimeSpan.FromMinutes(1);
        }
    }

    private static long NextKey() => Interlocked.Add(ref s_lastKey, 10);

    private static Task<InProcessTestCluster> StartAsync(Received received, Action<IClientBuilder>? configure = null) =>
        PolyjuiceCluster.StartAsync(
            1,
            silo =>
            {
                silo.AddIncomingGrainCallFilter(received);
                silo.Services.Configure<PolyjuiceOptions>(options =>
                    (options.UnansweredCalls, options.StartWait) = (1, TimeSpan.FromMinutes(1)));
            },
            client =>
            {
                client.UsePolyjuice(
                    options => (options.UnansweredCalls, options.StartWait) = (1, TimeSpan.FromMinutes(1)));
                configure?.Invoke(client);
            });

    private static (UnansweredCalls Unanswered, IGrainFactory Grains) OfClient(InProcessTestCluster cluster) =>
        (cluster.Client.ServiceProvider.GetRequiredService<UnansweredCalls>(), cluster.Client);

    private static (UnansweredCalls Unanswered, IGrainFactory Grains) OfSilo(InProcessTestCluster cluster)
    {
        var services = cluster.GetSiloServiceProvider();
        return (services.GetRequiredService<UnansweredCalls>(), services.GetRequiredService<IGrainFactory>());
    }

    private static async Task TakePlace(PlaceQueue queue) =>
        Assert.NotNull(await queue.EnterAsync(mayWait: true, since: 0, CancellationToken.None));

    // On a busy machine a call may be on its way for longer than what counts as a long wait.
    private static async Task WhenHeldAsync(OpenTransactions open)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        while (open.Held == 0) await Task.Delay(10, patience.Token);
    }

    // Counts the calls that have come to the silo, of grains that start a transaction.
    private sealed class Received : IIncomingGrainCallFilter
    {
        private int _calls;

        public int Calls => Volatile.Read(ref _calls);

        public Task Invoke(IIncomingGrainCallContext context)
        {
            if (context.Grain is INesting or IPatient) Interlocked.Increment(ref _calls);
            return context.Invoke();
        }
    }
}
