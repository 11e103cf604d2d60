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
/// Policies in Redis: <c>Polyjuice:PolicyStore:ProviderType</c> is <c>Redis</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c> and, if it is not <c>polyjuice</c>, <c>Prefix</c>.
/// </summary>
internal sealed class RedisPolicyStoreProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    private const string Prefix = nameof(Prefix);

    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        section.Bind(builder.Services.AddOptions<PublishedPoliciesOptions>(), ProviderSection.ConnectionKey, Prefix);
        var connection = section.RequiredConnection(builder.Configuration);

        // By the container, which disposes of it with the silo.
        builder.Services.AddKeyedSingleton<IConnectionMultiplexer>(
            PolyjuiceProviders.PolicyStore, (_, _) => ConnectionMultiplexer.Connect(connection));
        builder.AddRedisPolicyStore(
            services => services.GetRequiredKeyedService<IConnectionMultiplexer>(PolyjuiceProviders.PolicyStore),
            configurationSection[Prefix] ?? "polyjuice");
    }
}

/// <summary>
/// Traces in Redis: <c>Polyjuice:Traces:ProviderType</c> is <c>Redis</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c> and, if it is not <c>polyjuice</c>, <c>Prefix</c>.
/// </summary>
internal sealed class RedisTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    private const string Prefix = nameof(Prefix);

    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection).Only(ProviderSection.ConnectionKey, Prefix);
        var connection = section.RequiredConnection(builder.Configuration);

        // By the container, which disposes of it with the silo.
        builder.Services.AddKeyedSingleton<IConnectionMultiplexer>(
            PolyjuiceProviders.Traces, (_, _) => ConnectionMultiplexer.Connect(connection));
        builder.Services.AddOptions<PolyjuiceOptions>().Configure<IServiceProvider>((options, services) =>
            options.TraceSink = new RedisTraceSink(
                services.GetRequiredKeyedService<IConnectionMultiplexer>(PolyjuiceProviders.Traces),
                configurationSection[Prefix] ?? "polyjuice"));
    }
}
