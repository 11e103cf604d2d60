using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Polyjuice.Storage.Redis;

/// <summary>Opens the logs that a host was configured with.</summary>
/// <param name="name">Their name, and that of their options.</param>
/// <param name="options">The host's options.</param>
/// <param name="loggers">The host's loggers.</param>
internal sealed class RedisLogProvider(
    string name, IOptionsMonitor<RedisLogOptions> options, ILoggerFactory loggers) : ILogStoreProvider
{
    /// <inheritdoc/>
    public async Task<ILogStore> OpenAsync(CancellationToken cancellationToken) =>
        await RedisLogStore.OpenAsync(
            options.Get(name), loggers.CreateLogger("Polyjuice.Storage.Redis"),
            cancellationToken).ConfigureAwait(false);
}
