using Orleans.Configuration;
using Polyjuice.Tracing;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>
/// Keeps traces in a Redis server, a hash for each block. They take memory there until they are deleted
/// (<c>SiloTrainerOptions.KeepTraces</c>). Thread-safe. The client is the caller's, with its time-outs, and is not
/// disposed. They are as durable as the server is set.
/// </summary>
internal sealed class RedisTraceSink : ITraceSink
{
    private readonly DeviceTraceSink _device;

    /// <summary>Traces in a server.</summary>
    /// <param name="redis">The server, and the number of the database there.</param>
    /// <param name="prefix">What all keys begin with; as <see cref="RedisLogOptions.KeyPrefix"/>.</param>
    /// <exception cref="ArgumentException">The prefix can't be one; the message says what can.</exception>
    public RedisTraceSink(IConnectionMultiplexer redis, string prefix = "polyjuice") => _device = new(
        RedisLogDevice.OfContent(redis, RedisDeviceSettings.Traces, prefix), static _ => Task.CompletedTask);

    /// <summary>Reads what is written there, by this process and others.</summary>
    public ITraceSource Source => _device.Source;

    /// <inheritdoc/>
    public Task<Stream> CreateAsync(string name, CancellationToken cancellationToken) =>
        _device.CreateAsync(name, cancellationToken);
}
