using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Hosting;
using Polyjuice.Policies;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Embedded.Tests.Hosting;

public sealed class PolicyStoreTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-tests-").FullName;

    private PolicyRepository Repository => new(new FilePolicyEntries(_folder), TimeProvider.System);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_host_takes_what_is_published_and_what_comes_and_goes_while_it_runs()
    {
        await PublishAsync("ic3");
        using var host = Build(silo => silo.AddFilePolicyStore(_folder, options => options.PollInterval = TimeSpan.FromMilliseconds(100)));
        var follower = host.Services.GetRequiredService<PolicyFollower>();
        var taken = Channel.CreateUnbounded<PolicyChange>();
        follower.Changed += change => taken.Writer.TryWrite(change);
        await host.StartAsync();
        Assert.Equal((PolicyChangeKind.Taken, 1, "ic3"), await NextAsync());

        await PublishAsync("locking");
        Assert.Equal((PolicyChangeKind.Taken, 2, "locking"), await NextAsync());
        Assert.True(follower.IsOnTrial);
        Assert.Equal("locking", host.Services.GetRequiredService<EmbeddedCluster>().Policies.Current.Name);
        await Repository.RollBackAsync("a test", "anna");
        Assert.Equal((PolicyChangeKind.Taken, 1, "ic3"), await NextAsync());
        await host.StopAsync();

        async Task<(PolicyChangeKind, int, string)> NextAsync()
        {
            var change = await taken.Reader.ReadAsync();
            return (change.Kind, change.Release, change.Policy);
        }
    }

    [Fact]
    public async Task A_wrong_option_stops_the_host_from_starting_by_its_name()
    {
        using var host = Build(silo => silo.AddFilePolicyStore(_folder, options => options.CommitDropMax = 2));

        Assert.Contains(nameof(PolicyFollowerOptions.CommitDropMax), (await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_stores_are_refused() =>
        Assert.Throws<InvalidOperationException>(() => Build(silo => silo.AddFilePolicyStore(_folder).AddFilePolicyStore(_folder)));

    private Task PublishAsync(string name) => Repository.PublishAsync(PolicyWriter.Write(BuiltinPolicies.Get(name).Document), "anna");

    private static IHost Build(Action<ISiloBuilder> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.UseOrleans(silo => configure(silo.UsePolyjuice().UseEmbeddedCluster(options =>
        {
            options.Data = EmbeddedCluster.MemoryData;
            options.GrainClassFilter = type => type.Namespace is "Polyjuice.Embedded.Tests.RealTime";
        })));
        return builder.Build();
    }
}
