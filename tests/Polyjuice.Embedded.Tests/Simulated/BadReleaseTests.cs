using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Embedded.Tests.RealTime;
using Polyjuice.Policies;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>Real transactions, whose throughput a bad table ruins.</summary>
public sealed class BadReleaseTests
{
    private const int Clients = 16;

    [Fact]
    public void A_table_that_is_bad_for_the_load_is_taken_back_within_its_trial_and_no_call_fails()
    {
        using var cluster = SimulatedTestCluster.Start(configure: options =>
        {
            options.PolicyName = "dirty-public";
            options.NetworkLatency = TimeSpan.FromMilliseconds(1);
            options.AppendLatency = TimeSpan.FromMilliseconds(5);
        });
        var entries = new MemoryPolicyEntries();
        var repository = new PolicyRepository(entries, cluster.TimeProvider);
        var options = new PolicyFollowerOptions
        {
            Interval = TimeSpan.FromMilliseconds(200), Settle = TimeSpan.FromMilliseconds(400), Baseline = TimeSpan.FromSeconds(2), Trial = TimeSpan.FromSeconds(4),
        };
        using var follower = new PolicyFollower(repository, cluster.Policies, () => cluster.Statistics.Engine, options, cluster.TimeProvider, NullLogger.Instance, "the cluster");
        var changes = new List<(PolicyChange Change, TimeSpan At)>();
        follower.Changed += change => changes.Add((change, cluster.Elapsed));
        cluster.Run(async () =>
        {
            using var end = new CancellationTokenSource();
            await cluster.Client.GetGrain<IAccount>("hot").Add(1_000_000);
            var following = follower.RunAsync(end.Token);
            var isOver = false;
            var clients = Enumerable.Range(0, Clients).Select(client => TransferAsync(client)).ToList();
            await Task.Delay(TimeSpan.FromSeconds(3), cluster.TimeProvider);
            await repository.PublishAsync(PolicyWriter.Write(BuiltinPolicies.Get("locking").Document), "anna");
            await Task.Delay(TimeSpan.FromSeconds(5), cluster.TimeProvider);
            isOver = true;
            await Task.WhenAll(clients);
            end.Cancel();
            await following;

            // All of them through one hot account.
            async Task TransferAsync(int client)
            {
                while (!isOver) await cluster.Client.GetGrain<ITeller>($"t{client}").Transfer("hot", $"own{client}", 1);
            }
        });

        Assert.Equal([PolicyChangeKind.Taken, PolicyChangeKind.PutBack, PolicyChangeKind.RolledBack], changes.Select(entry => entry.Change.Kind));
        Assert.InRange(changes[1].At - changes[0].At, TimeSpan.Zero, options.Trial + options.Interval);
        Assert.Equal("dirty-public", cluster.Policies.Current.Name);
    }
}
