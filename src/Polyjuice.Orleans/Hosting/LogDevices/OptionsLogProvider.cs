using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Polyjuice.Storage;

/// <summary>Opens the logs that a host was configured with.</summary>
/// <typeparam name="TOptions">Their options.</typeparam>
/// <param name="name">Their name, and that of their options.</param>
/// <param name="options">The host's options.</param>
/// <param name="silo">The silo's options.</param>
/// <param name="logger">Where they say what they found.</param>
/// <param name="open">Opens them.</param>
internal sealed class OptionsLogProvider<TOptions>(
    string name, IOptionsMonitor<TOptions> options, IOptions<PolyjuiceOptions> silo, ILogger logger,
    Func<TOptions, ILogger, CancellationToken, Task<SegmentedLogStore>> open) : ILogStoreProvider
    where TOptions : SegmentedLogOptions
{
    /// <inheritdoc/>
    public async Task<ILogStore> OpenAsync(CancellationToken cancellationToken)
    {
        var logs = options.Get(name);
        logs.Engines = silo.Value.EnginesPerSilo;
        return await open(logs, logger, cancellationToken).ConfigureAwait(false);
    }
}
