using Polyjuice.Contracts;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;
using Xunit.Abstractions;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>Two silos that nobody joins or leaves.</summary>
public sealed class SteadySilosTests(ITestOutputHelper output)
{
    private const int Accounts = 24;
    private const int Clients = 8;
    private const int Transactions = 3_000;

    [Fact]
    public async Task No_attempt_aborts_because_an_owner_has_changed()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
            options.ConfigureEngine = engine => engine.TransactionTimeoutMicroseconds = 25_000_000);
        await cluster.WhenServedAsync();
        for (var account = 0; account < Accounts; account++)
            await cluster.Grains.GetGrain<IAccount>(account).Deposit(1_000_000);
        var before = OfOwners(cluster.Statistics);

        var load = new TransferLoad(cluster.Grains, Accounts);
        var committed = load.CommitMoreAsync(Transactions);
        var clients = load.Start(Clients);
        await committed;
        await load.StopAsync(clients);

        var statistics = cluster.Statistics;
        output.WriteLine(string.Join(
            ", ",
            Enum.GetValues<AbortReason>().Where(reason => statistics.AbortsByReason[(int)reason] > 0)
                .Select(reason => $"{reason} {statistics.AbortsByReason[(int)reason]}")));
        Assert.Empty(load.Failures);
        Assert.Equal(before, OfOwners(statistics));
    }

    private static (long Changed, long Wrong, long Lost) OfOwners(EngineStatistics statistics) => (
        statistics.AbortsByReason[(int)AbortReason.OwnerChanged],
        statistics.AbortsByReason[(int)AbortReason.WrongOwner],
        statistics.AbortsByReason[(int)AbortReason.ParticipantLost]);
}
