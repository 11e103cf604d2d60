using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Embedded.Tests.RealTime;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>The programming model in simulated time.</summary>
public sealed class TransactionTests : IDisposable
{
    private readonly SimulatedEmbeddedCluster _cluster = SimulatedTestCluster.Start();

    public void Dispose() => _cluster.Dispose();

    private IAccount Account(string key) => _cluster.Client.GetGrain<IAccount>(key);

    private ITeller Teller => _cluster.Client.GetGrain<ITeller>("t");

    [Fact]
    public void A_transaction_over_several_silos_commits()
    {
        var balances = _cluster.Run(async () =>
        {
            await Teller.Transfer("a", "b", 30);
            return (await Account("a").Get(), await Account("b").Get());
        });
        Assert.Equal((70, 130), balances);
        Assert.True(_cluster.Statistics.Messages > 0);
    }

    [Fact]
    public void An_exception_aborts_and_reaches_the_caller_with_its_class()
    {
        var failure = Assert.Throws<OrleansTransactionAbortedException>(() => _cluster.Run(() => Teller.TransferThenThrow("a", "b", 30)));
        Assert.IsType<CustomException>(failure.InnerException);
        Assert.Equal(100, _cluster.Run(() => Account("a").Get()));
    }

    [Fact]
    public void Calls_run_in_parallel()
    {
        List<string> accounts = ["a", "b", "c", "d"];
        Assert.Equal(1, _cluster.Run(() => Teller.AddInParallel(accounts, [])));
        Assert.Equal([101, 101, 101, 101], _cluster.Run(() => Task.WhenAll(accounts.Select(key => Account(key).Get()))));
    }

    [Fact]
    public void A_client_runs_a_transaction_of_its_own()
    {
        _cluster.Run(() => _cluster.Client.RunTransaction(TransactionOption.Create, async () =>
        {
            await Account("a").AddJoined(-10);
            await Account("b").AddJoined(10);
        }));
        Assert.Equal((90, 110), _cluster.Run(async () => (await Account("a").Get(), await Account("b").Get())));
    }

    [Fact]
    public void What_was_acknowledged_survives_the_death_of_every_silo()
    {
        _cluster.Run(() => Teller.Transfer("a", "b", 30));
        _cluster.RestartAll();
        Assert.Equal((70, 130), _cluster.Run(async () => (await Account("a").Get(), await Account("b").Get())));
    }

    [Fact]
    public void A_doomed_transaction_whose_body_does_not_end_is_given_up_when_its_time_is_over()
    {
        var root = _cluster.Client.GetGrain<IRestlessGrain>("r");
        var failure = Assert.ThrowsAny<OrleansTransactionAbortedException>(() => _cluster.Run(() => root.CatchAndWait("a", TimeSpan.FromHours(1))));
        Assert.Contains(nameof(AbortReason.Timeout), failure.Message, StringComparison.Ordinal);
        Assert.InRange(_cluster.Elapsed, TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(11));
    }

    [Fact]
    public void A_transaction_whose_grain_went_away_between_two_attempts_goes_on_in_its_next_activation()
    {
        var account = _cluster.KeyOn<IAccount>(1);
        var root = _cluster.Client.GetGrain<IRestlessGrain>(_cluster.KeyOn<IRestlessGrain>(0));
        _cluster.Silos[1].Kill();

        // The first attempt loses its participant; by the second one the grain is gone.
        _cluster.Run(() => root.AddAndLeave(account));
        Assert.Equal(1, _cluster.Statistics.Engine.AbortsByReason[(int)AbortReason.ParticipantLost]);
        _cluster.Settle();
        Assert.Equal(101, _cluster.Run(() => Account(account).Get()));
    }

    [Fact]
    public void A_killed_silos_grains_move_to_the_others_and_come_back()
    {
        var keys = Enumerable.Range(0, 12).Select(i => $"k{i}").ToArray();
        _cluster.Run(() => Task.WhenAll(keys.Select(key => Account(key).Add(1))));
        _cluster.Silos[1].Kill();
        _cluster.Settle();
        Assert.All(_cluster.Run(() => Task.WhenAll(keys.Select(key => Account(key).Get()))), balance => Assert.Equal(101, balance));
        Assert.Equal(0, _cluster.Silos[1].Activations);
        _cluster.Silos[1].Restart();
        _cluster.Settle();
        Assert.All(_cluster.Run(() => Task.WhenAll(keys.Select(key => Account(key).Get()))), balance => Assert.Equal(101, balance));
        Assert.True(_cluster.Silos[1].Activations > 0);
    }
}
