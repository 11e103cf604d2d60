using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Opens the logs that a host was configured with.</summary>
/// <param name="name">Their name, and that of their options.</param>
/// <param name="options">The host's options.</param>
/// <param name="loggers">The host's loggers.</param>
internal sealed class PostgreSqlLogProvider(
    string name, IOptionsMonitor<PostgreSqlLogOptions> options, ILoggerFactory loggers) : ILogStoreProvider
{
    /// <inheritdoc/>
    public async Task<ILogStore> OpenAsync(CancellationToken cancellationToken) =>
        await PostgreSqlLogStore.OpenAsync(
            options.Get(name), loggers.CreateLogger("Polyjuice.Storage.PostgreSql"),
            cancellationToken).ConfigureAwait(false);
}
