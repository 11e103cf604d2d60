using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.Redis.Hosting;
using StackExchange.Redis;

[assembly: RegisterProvider(
    "Redis", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(RedisLogProviderBuilder))]
[assembly: RegisterProvider(
    "Redis", PolyjuiceProviders.PolicyStore, PolyjuiceProviders.Target, typeof(RedisPolicyStoreProviderBuilder))]
[assembly: RegisterProvider(
    "Redis", PolyjuiceProviders.Traces, PolyjuiceProviders.Target, typeof(RedisTraceProviderBuilder))]

namespace Polyjuice.Storage.Redis.Hosting;

/// <summary>
/// Logs in Redis: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>Redis</c>, with <c>ConnectionString</c>,
/// <c>ConnectionName</c> or <c>ServiceKey</c> (of an <see cref="IConnectionMultiplexer"/>) and the other options.
/// </summary>
internal sealed class RedisLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        builder.AddRedisLog(name!, options => section.Bind<RedisLogOptions, IConnectionMultiplexer>(
            options, builder.Configuration, (logs, connection) => logs.ConnectionString = connection,
            (logs, client) => logs.Multiplexer = client));
    }
}

/// <summary>
/// The server that a section names, by <c>ConnectionString</c>, <c>ConnectionName</c> or <c>ServiceKey</c>, and, if it
/// is not <c>polyjuice</c>, the keys' <c>Prefix</c>.
/// </summary>
internal static class ServerSection
{
    private const string Prefix = nameof(Prefix);

    /// <summary>The keys.</summary>
    public static string[] Keys { get; } = [.. ProviderSection.ConnectionKeys, Prefix];

    /// <summary>
    /// Finds the client. One that is made of a connection string is among the services, under the name of what is kept
    /// there, so that the container disposes of it with the silo.
    /// </summary>
    public static Func<IServiceProvider, IConnectionMultiplexer> ServerOf(
        ISiloBuilder builder, ProviderSection section, string kind)
    {
        var client = section.ClientOf<IConnectionMultiplexer>(
            builder.Configuration, connection => ConnectionMultiplexer.Connect(connection), out var isShared);
        if (isShared) return client;
        builder.Services.AddKeyedSingleton(kind, (services, _) => client(services));
        return services => services.GetRequiredKeyedService<IConnectionMultiplexer>(kind);
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
        var server = ServerSection.ServerOf(builder, section, PolyjuiceProviders.PolicyStore);
        builder.AddRedisPolicyStore(server, ServerSection.PrefixOf(configurationSection));
    }
}

/// <summary>Traces in Redis: <c>Polyjuice:Traces:ProviderType</c> is <c>Redis</c>.</summary>
internal sealed class RedisTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection).Only(ServerSection.Keys);
        var server = ServerSection.ServerOf(builder, section, PolyjuiceProviders.Traces);
        var prefix = ServerSection.PrefixOf(configurationSection);
        builder.AddConfiguredTraces(services => new RedisTraceSink(server(services), prefix));
    }
}
