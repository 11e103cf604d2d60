using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Orleans.Tests.Hosting;

public sealed class PolicyStoreTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-tests-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Every_silo_takes_what_is_published_and_what_is_taken_back()
    {
        var repository = new PolicyRepository(new FilePolicyEntries(_folder), TimeProvider.System);
        await using var cluster = await PolyjuiceCluster.StartAsync(
            2,
            silo => silo.AddFilePolicyStore(_folder, options => options.PollInterval = TimeSpan.FromMilliseconds(100)));
        var followed = cluster.Silos.Select(silo => silo.ServiceProvider).Select(services =>
        {
            var changes = Channel.CreateUnbounded<PolicyChange>();
            services.GetRequiredService<PolicyFollower>().Changed += change => changes.Writer.TryWrite(change);
            return (services, changes.Reader);
        }).ToList();

        await repository.PublishAsync(PolicyWriter.Write(BuiltinPolicies.Get("ic3").Document), "anna");
        await AllTakeAsync("ic3");
        await repository.RollBackAsync("a test", "anna");
        await AllTakeAsync("occ");

        Assert.All(followed, silo => Assert.NotNull(silo.services.GetRequiredService<IFollowedEngines>().Statistics));

        async Task AllTakeAsync(string policy)
        {
            foreach (var (services, changes) in followed)
            {
                Assert.Equal(
                    (PolicyChangeKind.Taken, policy),
                    await changes.ReadAsync() is var change ? (change.Kind, change.Policy) : default);
                Assert.Equal(policy, services.GetRequiredService<PolicyStore>().Current.Name);
            }
        }
    }

    // The logs outlive the silo, and the release that was seen is noted beside them.
    [Fact]
    public async Task A_silo_that_starts_again_keeps_a_release_that_the_store_has_lost()
    {
        var (store, logs) = (Path.Combine(_folder, "policies"), Path.Combine(_folder, "logs"));
        var repository = new PolicyRepository(new FilePolicyEntries(store), TimeProvider.System);
        await repository.PublishAsync(PolicyWriter.Write(BuiltinPolicies.Get("locking").Document), "anna");
        await repository.PublishAsync(PolicyWriter.Write(BuiltinPolicies.Get("ic3").Document), "anna");
        await using (var cluster = await StartAsync())
        {
            await NotedAsync();
            await cluster.StopAllSilosAsync();
        }

        File.Delete(Path.Combine(store, "00000002.json"));
        await using (var cluster = await StartAsync())
        {
            await TakenAsync(cluster, "ic3");
            await repository.PublishAsync(PolicyWriter.Write(BuiltinPolicies.Get("dirty-public").Document), "anna");
            await TakenAsync(cluster, "dirty-public");
        }

        Task<InProcessTestCluster> StartAsync() => PolyjuiceCluster.StartAsync(1, silo => silo
            .AddFileLogAsDefault(options => options.Directory = logs)
            .AddFilePolicyStore(store, options => options.PollInterval = TimeSpan.FromMilliseconds(100)));

        // The follower says nothing of it: the file says it.
        async Task NotedAsync()
        {
            var notes = Directory.CreateDirectory(Path.Combine(logs, "notes", "published-policies")).FullName;
            var noted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            using var watch = new FileSystemWatcher(notes, "*.note") { EnableRaisingEvents = true };
            watch.Created += (_, _) => noted.TrySetResult();
            watch.Renamed += (_, _) => noted.TrySetResult();
            if (Directory.GetFiles(notes, "*.note").Length == 0) await noted.Task.WaitAsync(TimeSpan.FromMinutes(2));
        }

        static async Task TakenAsync(InProcessTestCluster cluster, string policy)
        {
            var services = cluster.Silos[0].ServiceProvider;
            var taken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            services.GetRequiredService<PolicyFollower>().Changed += change =>
            {
                if (change is { Kind: PolicyChangeKind.Taken } && change.Policy == policy) taken.TrySetResult();
            };
            if (services.GetRequiredService<PolicyStore>().Current.Name != policy)
                await taken.Task.WaitAsync(TimeSpan.FromMinutes(2));
            Assert.Equal(policy, services.GetRequiredService<PolicyStore>().Current.Name);
        }
    }
}
