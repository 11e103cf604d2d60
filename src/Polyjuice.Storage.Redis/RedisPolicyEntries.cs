using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>
/// Keeps published policies in a Redis server, a hash each. Of several publishers the server lets one make an entry.
/// Thread-safe. The client is the caller's, with its time-outs, and is not disposed. They are as durable as the server
/// is set.
/// </summary>
internal sealed class RedisPolicyEntries : DevicePolicyEntries
{
    /// <summary>Entries in a server.</summary>
    /// <param name="redis">The server, and the number of the database there.</param>
    /// <param name="prefix">What all keys begin with; as <see cref="RedisLogOptions.KeyPrefix"/>.</param>
    public RedisPolicyEntries(IConnectionMultiplexer redis, string prefix = "polyjuice")
        : base(
            RedisLogDevice.OfContent(redis, RedisDeviceSettings.Policies, prefix), static _ => Task.CompletedTask)
    {
    }
}
