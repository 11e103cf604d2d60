using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Clients;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>
/// A client's transaction whose silo goes between two calls of the delegate:
/// nothing has committed, and the delegate runs again on another silo.
/// </summary>
public sealed class LostClientTransactionTests : IAsyncLifetime
{
    private readonly Filter _outgoing = new();
    private InProcessTestCluster? _cluster;

    private ITransactionClient Transactions =>
        _cluster!.Client.ServiceProvider.GetRequiredService<ITransactionClient>();

    // A message that was on its way into the connection of a silo that dies then is lost, as on Orleans: its caller
    // learns of it when the time for an answer is up. That leaves most of the transaction's 25 s to run again in.
    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        3,
        configureClient: client => client.UsePolyjuice().AddOutgoingGrainCallFilter(_outgoing)
            .Configure<ClientMessagingOptions>(options => options.ResponseTimeout = TimeSpan.FromSeconds(8)));

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task It_runs_again_elsewhere(bool inGoodOrder)
    {
        var (one, other) = (_cluster!.Client.GetGrain<IAccount>(1), _cluster.Client.GetGrain<IAccount>(2));
        var runs = 0;
        await Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await one.Deposit(5);
            if (runs++ == 0) await EndAsync(await SiloOfTransactionAsync(), inGoodOrder);
            await other.Deposit(7);
        });

        Assert.Equal((2, 5, 7), (runs, await one.GetBalance(), await other.GetBalance()));
    }

    [Fact]
    public async Task Who_was_never_started_refuses_at_once()
    {
        var unknown = _cluster!.Client.GetGrain<IClientTransactionGrain>(Guid.NewGuid());
        var exception = await Assert.ThrowsAsync<TransactionConflictException>(
            () => unknown.End(1, commits: true, failure: null, new(Guid.NewGuid())));
        Assert.Equal(Polyjuice.Contracts.AbortReason.Shutdown, exception.Reason);
    }

    // A call that nobody answers would end with a time-out.
    [Fact]
    public async Task So_does_who_was_never_started_when_it_is_to_make_a_call()
    {
        var account = _cluster!.Client.GetGrain<IAccount>(3);
        IInvokable? request = null;
        _outgoing.On(nameof(IAccount.GetBalance), context =>
        {
            request = ((TransactionCall)context.Request).Request;
            return context.Invoke();
        });
        await account.GetBalance();
        var unknown = _cluster.Client.GetGrain<IClientTransactionGrain>(Guid.NewGuid());
        var exception = await Assert.ThrowsAsync<TransactionConflictException>(
            () => unknown.Invoke(1, 1, (GrainReference)account, request!));
        Assert.Equal(Polyjuice.Contracts.AbortReason.Shutdown, exception.Reason);
    }

    [Fact]
    public async Task A_call_within_one_whose_silo_has_left_is_refused_at_once()
    {
        var (one, other) = (_cluster!.Client.GetGrain<IAccount>(11), _cluster.Client.GetGrain<IAccount>(12));
        Exception? told = null;
        var runs = 0;
        await Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await one.Deposit(5);
            if (runs++ > 0) return;
            await EndAsync(await SiloOfTransactionAsync(), inGoodOrder: true);
            told = await Record.ExceptionAsync(() => other.Deposit(7));
            Assert.NotNull(told);
            throw told;
        });

        Assert.Equal(
            Polyjuice.Contracts.AbortReason.Shutdown, Assert.IsType<TransactionConflictException>(told).Reason);
        Assert.Equal((2, 5, 0), (runs, await one.GetBalance(), await other.GetBalance()));
    }

    [Fact]
    public async Task Time_that_was_spent_on_silos_that_have_gone_is_off_its_own()
    {
        var again = _cluster!.Client.GetGrain<IClientTransactionGrain>(Guid.NewGuid());
        var exception = await Assert.ThrowsAsync<TransactionConflictException>(
            () => again.Start("Again", useExclusiveLock: false, spent: TimeSpan.FromHours(1)));
        Assert.Equal(Polyjuice.Contracts.AbortReason.Timeout, exception.Reason);
    }

    // The first copy came to the activation that was started, and is gone.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_second_copy_of_its_end_may_come_after_a_commit(bool commits)
    {
        var over = _cluster!.Client.GetGrain<IClientTransactionGrain>(Guid.NewGuid());
        var copy = new SentCall(Guid.NewGuid());
        Assert.False(copy.Written);

        var exception = await Record.ExceptionAsync(() => over.End(1, commits, failure: null, copy));

        if (commits) Assert.IsType<OrleansTransactionInDoubtException>(exception);
        else Assert.IsType<TransactionConflictException>(exception);
    }

    private async Task<InProcessSiloHandle> SiloOfTransactionAsync()
    {
        var activations = await _cluster!.Client.GetGrain<IManagementGrain>(0).GetDetailedGrainStatistics();
        var transaction = Assert.Single(
            activations,
            activation => activation.GrainType.Contains(
                nameof(ClientTransactionGrain), StringComparison.OrdinalIgnoreCase));
        return _cluster.Silos.Single(silo => silo.SiloAddress.Equals(transaction.SiloAddress));
    }

    private Task EndAsync(InProcessSiloHandle silo, bool inGoodOrder) =>
        inGoodOrder ? _cluster!.StopSiloAsync(silo) : _cluster!.KillSiloAsync(silo);
}
