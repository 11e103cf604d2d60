using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Policies.Following;
using Polyjuice.Storage.Redis.Hosting;
using StackExchange.Redis;

[assembly: RegisterProvider("Redis", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(RedisLogProviderBuilder))]
[assembly: RegisterProvider("Redis", PolyjuiceProviders.PolicyStore, PolyjuiceProviders.Target, typeof(RedisPolicyStoreProviderBuilder))]
[assembly: RegisterProvider("Redis", PolyjuiceProviders.Traces, PolyjuiceProviders.Target, typeof(RedisTraceProviderBuilder))]

namespace Polyjuice.Storage.Redis.Hosting;

/// <summary>
/// Logs in Redis: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>Redis</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c> and the other options.
/// </summary>
internal sealed class RedisLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        builder.AddRedisLog(name!, options => section.Bind(
            options, builder.Configuration, (logs, connection) => logs.ConnectionString = connection));
    }
}

/// <summary>
/// The server that a section names, by <c>ConnectionString</c> or <c>ConnectionName</c>, and, if it is not
/// <c>polyjuice</c>, the keys' <c>Prefix</c>.
/// </summary>
internal static class ServerSection
{
    /// <summary>The keys.</summary>
    public static string[] Keys { get; } = [ProviderSection.ConnectionKey, Prefix];

    private const string Prefix = nameof(Prefix);

    /// <summary>Adds the client under the name of what is kept there: the container disposes of it with the silo.</summary>
    public static void AddServer(ISiloBuilder builder, ProviderSection section, string kind)
    {
        var connection = section.RequiredConnection(builder.Configuration);
        builder.Services.AddKeyedSingleton<IConnectionMultiplexer>(
            kind, (_, _) => ConnectionMultiplexer.Connect(connection));
    }

    /// <summary>What all keys begin with.</summary>
    public static string PrefixOf(IConfigurationSection section) => section[Prefix] ?? "polyjuice";
}

/// <summary>Policies in Redis: <c>Polyjuice:PolicyStore:ProviderType</c> is <c>Redis</c>.</summary>
internal sealed class RedisPolicyStoreProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        section.Bind(builder.Services.AddOptions<PublishedPoliciesOptions>(), ServerSection.Keys);
        ServerSection.AddServer(builder, section, PolyjuiceProviders.PolicyStore);
        builder.AddRedisPolicyStore(
            services => services.GetRequiredKeyedService<IConnectionMultiplexer>(PolyjuiceProviders.PolicyStore),
            ServerSection.PrefixOf(configurationSection));
    }
}

/// <summary>Traces in Redis: <c>Polyjuice:Traces:ProviderType</c> is <c>Redis</c>.</summary>
internal sealed class RedisTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection).Only(ServerSection.Keys);
        ServerSection.AddServer(builder, section, PolyjuiceProviders.Traces);
        var prefix = ServerSection.PrefixOf(configurationSection);
        builder.Services.AddOptions<PolyjuiceOptions>().Configure<IServiceProvider>((options, services) =>
            options.TraceSink = new RedisTraceSink(
                services.GetRequiredKeyedService<IConnectionMultiplexer>(PolyjuiceProviders.Traces), prefix));
    }
}
