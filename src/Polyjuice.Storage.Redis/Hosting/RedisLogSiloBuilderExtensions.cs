using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Storage;
using Polyjuice.Storage.Redis;

namespace Orleans.Hosting;

/// <summary>Adds transaction logs in Redis.</summary>
public static class RedisLogSiloBuilderExtensions
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
}
