using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>Has patience with a log while its partition is taken over. On its engine's turn.</summary>
internal sealed class LogRetry(OwnerParts shared, LogHealth health)
{
    /// <summary>Does something until it works.</summary>
    public async Task<T> RunAsync<T>(
        Func<CancellationToken, ValueTask<T>> operation, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                var result = await operation(cancellationToken);
                health.Answered();
                return result;
            }
            catch (Exception exception)
                when (!cancellationToken.IsCancellationRequested
                    && exception is not (LogUnusableException or CodingException or InvariantException))
            {
                health.Failed(exception, -1);
                await PauseAsync(cancellationToken);
            }
        }
    }

    /// <summary>Waits a little. An engine that stops has no pauses.</summary>
    public async Task PauseAsync(CancellationToken cancellationToken)
    {
        await shared.Timers.Delay(health.Pause);
        cancellationToken.ThrowIfCancellationRequested();
        if (shared.IsStopped) throw new OperationCanceledException("The silo stops.");
    }
}
