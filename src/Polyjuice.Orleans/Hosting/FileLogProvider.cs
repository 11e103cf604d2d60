using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Polyjuice.Storage;

namespace Polyjuice.Orleans;

/// <summary>Logs in local files, for one silo at a time: the folder is locked.</summary>
internal sealed class FileLogProvider(string name, IOptionsMonitor<FileLogOptions> options, ILoggerFactory loggers) : ILogStoreProvider
{
    /// <inheritdoc/>
    public async Task<ILogStore> OpenAsync(CancellationToken cancellationToken) =>
        await FileLogStore.OpenAsync(options.Get(name), loggers.CreateLogger("Polyjuice.Storage"), cancellationToken).ConfigureAwait(false);
}
