using Polyjuice.Publishing.Following;
using Polyjuice.Storage.Redis;
using StackExchange.Redis;

namespace Orleans.Hosting;

/// <summary>Has silos follow policies that are published in Redis.</summary>
public static class RedisPolicyStoreSiloBuilderExtensions
{
    /// <summary>
    /// Follows the policies that are published in a server, as
    /// <see cref="PolicyStoreSiloBuilderExtensions.AddFilePolicyStore"/> does those in a folder.
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
}
