using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Polyjuice.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Policies;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Orleans.Tests.Hosting;

public sealed class PolicyStoreTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-tests-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Every_silo_takes_what_is_published_and_what_is_taken_back()
    {
        var repository = new PolicyRepository(new FilePolicyEntries(_folder), TimeProvider.System);
        await using var cluster = await PolyjuiceCluster.StartAsync(2, silo => silo.AddFilePolicyStore(_folder, options => options.PollInterval = TimeSpan.FromMilliseconds(100)));
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
                Assert.Equal((PolicyChangeKind.Taken, policy), await changes.ReadAsync() is var change ? (change.Kind, change.Policy) : default);
                Assert.Equal(policy, services.GetRequiredService<PolicyStore>().Current.Name);
            }
        }
    }
}
