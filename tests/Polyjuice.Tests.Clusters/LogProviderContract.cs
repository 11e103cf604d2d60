using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Orleans;
using Polyjuice.Publishing;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Clusters;

/// <summary>
/// What every provider of logs in a server says when a host starts, as tests: a provider inherits them.
/// </summary>
/// <param name="provider">The provider's name in a configuration.</param>
/// <param name="client">The type of clients of such a server, which the host's services may have.</param>
public abstract class LogProviderContract(string provider, Type client)
{
    /// <summary>A place in the server that nobody has used.</summary>
    protected abstract string NewPlace();

    /// <summary>Adds the default log, in a place, with three partitions if it is new.</summary>
    protected abstract void AddLogAsDefault(ISiloBuilder silo, string place);

    [ConditionalFact]
    public async Task A_host_with_the_default_log_finds_its_states_again()
    {
        var place = NewPlace();
        for (var start = 1; start <= 2; start++)
        {
            using var host = Build(silo => AddLogAsDefault(silo.UsePolyjuice(), place));
            await host.StartAsync();
            var account = host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a");
            await account.Add(10);
            Assert.Equal(start * 10, await account.Get());
            Assert.Equal(3, host.Services.GetRequiredService<IPolyjuiceSilo>().Readiness.Partitions);
            await host.StopAsync();
        }
    }

    [ConditionalFact]
    public async Task A_client_that_the_services_lack_is_missed_by_its_key()
    {
        using var host = Build(silo => silo.UsePolyjuice(), new()
        {
            ["Polyjuice:Logs:Default:ProviderType"] = provider, ["Polyjuice:Logs:Default:ServiceKey"] = "shared",
        });

        var exception = await Assert.ThrowsAsync<OrleansConfigurationException>(() => host.StartAsync());

        Assert.Contains("'Polyjuice:Logs:Default:ServiceKey' is 'shared'", exception.Message, StringComparison.Ordinal);
        Assert.Contains(client.Name, exception.Message, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public void A_section_that_names_two_servers_is_refused_with_both_keys()
    {
        Assert.All(["Logs:Default", "PolicyStore", "Traces"], section =>
        {
            var exception = Assert.Throws<OrleansConfigurationException>(() => Build(silo => silo.UsePolyjuice(), new()
            {
                [$"Polyjuice:{section}:ProviderType"] = provider, [$"Polyjuice:{section}:ServiceKey"] = "shared",
                [$"Polyjuice:{section}:ConnectionString"] = "secret",
            }));

            Assert.Contains(
                $"'Polyjuice:{section}' has 'ConnectionString' and 'ServiceKey'", exception.Message,
                StringComparison.Ordinal);
            Assert.DoesNotContain("secret", exception.Message, StringComparison.Ordinal);
        });
    }

    [ConditionalFact]
    public async Task A_log_that_nobody_added_is_missed_by_its_name()
    {
        using var host = Build(silo => silo.UsePolyjuice((PolyjuiceOptions options) => options.LogProvider = "orders"));
        var exception = await Assert.ThrowsAsync<OrleansConfigurationException>(() => host.StartAsync());
        Assert.Contains("'orders'", exception.Message, StringComparison.Ordinal);
    }

    /// <summary>Makes a host with one silo on free ports.</summary>
    protected static IHost Build(Action<ISiloBuilder> configure, Dictionary<string, string?>? configuration = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(configuration);
        var ports = LoopbackPorts.Free(2);
        var name = $"logs-{ports[0]}";
        builder.UseOrleans(silo => configure(
            silo.UseLocalhostClustering(ports[0], ports[1], serviceId: name, clusterId: name)));
        return builder.Build();
    }

    /// <summary>Starts a host that has three partitions and follows policies, uses it, and stops it.</summary>
    protected static async Task UseAsync(IHost host)
    {
        await host.StartAsync();
        var account = host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a");
        await account.Add(10);

        Assert.Equal(10, await account.Get());
        Assert.Equal(3, host.Services.GetRequiredService<IPolyjuiceSilo>().Readiness.Partitions);
        Assert.NotNull(host.Services.GetRequiredService<IPolicyEntries>());
        await host.StopAsync();
    }
}
