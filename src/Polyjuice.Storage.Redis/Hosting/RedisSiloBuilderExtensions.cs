using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.Redis;
using Polyjuice.Storage;
using StackExchange.Redis;

namespace Orleans.Hosting;

/// <summary>Adds logs, published policies and traces in Redis.</summary>
public static class RedisSiloBuilderExtensions
{
    /// <summary>
    /// Adds logs in Redis as those that transactions use, unless <see cref="PolyjuiceOptions.LogProvider"/> names
    /// others.
    /// </summary>
    /// <param name="builder">The silos.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddRedisLogAsDefault(
        this ISiloBuilder builder, Action<RedisLogOptions> configure) =>
        builder.AddRedisLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <inheritdoc cref="AddRedisLogAsDefault(ISiloBuilder, Action{RedisLogOptions})"/>
    public static ISiloBuilder AddRedisLogAsDefault(
        this ISiloBuilder builder, Action<OptionsBuilder<RedisLogOptions>> configure) =>
        builder.AddRedisLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <summary>
    /// Adds logs in Redis under a name, which <see cref="PolyjuiceOptions.LogProvider"/> then chooses. Options are
    /// validated at start.
    /// </summary>
    /// <param name="builder">The silos.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddRedisLog(
        this ISiloBuilder builder, string name, Action<RedisLogOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddRedisLog(
            name, (OptionsBuilder<RedisLogOptions> options) => options.Configure(configure));
    }

    /// <inheritdoc cref="AddRedisLog(ISiloBuilder, string, Action{RedisLogOptions})"/>
    public static ISiloBuilder AddRedisLog(
        this ISiloBuilder builder, string name, Action<OptionsBuilder<RedisLogOptions>> configure) =>
        builder.AddLog<RedisLogOptions, RedisLogOptionsValidator>(
            name, configure, "Polyjuice.Storage.Redis", RedisLogStore.OpenAsync);

    /// <summary>
    /// Follows the policies that are published in a server, as
    /// <see cref="PolyjuiceSiloBuilderExtensions.AddFilePolicyStore"/> does those in a folder.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="redis">Finds or makes the client, with its time-outs; whoever made it disposes it.</param>
    /// <param name="prefix">What all keys begin with; as
    /// <see cref="Orleans.Configuration.RedisLogOptions.KeyPrefix"/>.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddRedisPolicyStore(
        this ISiloBuilder builder, Func<IServiceProvider, IConnectionMultiplexer> redis, string prefix = "polyjuice",
        Action<PublishedPoliciesOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(redis);
        ArgumentNullException.ThrowIfNull(prefix);
        return builder.AddPolicyStore(services => new RedisPolicyEntries(redis(services), prefix), configure);
    }

    /// <summary>
    /// Has the silo record traces from its start on, into a server, as
    /// <see cref="PolyjuiceSiloBuilderExtensions.AddFileTraces"/> does into a folder.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="redis">Finds or makes the client, with its time-outs; whoever made it disposes it.</param>
    /// <param name="prefix">What all keys begin with; as <see cref="RedisLogOptions.KeyPrefix"/>.</param>
    public static ISiloBuilder AddRedisTraces(
        this ISiloBuilder builder, Func<IServiceProvider, IConnectionMultiplexer> redis, string prefix = "polyjuice")
    {
        ArgumentNullException.ThrowIfNull(redis);
        ArgumentNullException.ThrowIfNull(prefix);
        return builder.AddTraces(services => new RedisTraceSink(redis(services), prefix));
    }
}
