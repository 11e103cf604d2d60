using Microsoft.Extensions.Hosting;
using Polyjuice.Lab.Chaos;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>
/// Puts one table after the other in force on the own silo. Those of other silos differ: mixtures must be safe.
/// </summary>
internal sealed class TableSwaps(PolicyStore policies, int seed) : BackgroundService
{
    private static readonly TimeSpan _interval = TimeSpan.FromMilliseconds(500);

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var round = new TableRound(seed);
        while (!stoppingToken.IsCancellationRequested)
        {
            policies.Swap(round.Next().Table);
            await Task.Delay(_interval, stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
