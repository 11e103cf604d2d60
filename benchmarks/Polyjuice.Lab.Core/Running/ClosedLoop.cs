using System.Diagnostics;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>A fixed number of clients, each of which makes its next operation when the last one has ended.</summary>
internal static class ClosedLoop
{
    /// <summary>
    /// How long a client that was turned away waits before it comes again: without that, those would keep the silo
    /// busy that it has no time for.
    /// </summary>
    private static readonly TimeSpan _overloadPause = TimeSpan.FromMilliseconds(100);

    /// <summary>Runs until the interval is over and every operation has ended. On the clients' thread.</summary>
    public static Task RunAsync(IReadOnlyList<IWorkloadClient> clients, LoadInterval interval) =>
        Task.WhenAll(clients.Select(client => ClientAsync(client, interval)));

    private static async Task ClientAsync(IWorkloadClient client, LoadInterval interval)
    {
        try
        {
            while (!interval.IsOver)
            {
                var operation = client.Choose();
                if (operation.Pause > TimeSpan.Zero) await interval.PauseAsync(operation.Pause);
                if (!interval.TryStart()) return;
                var start = Stopwatch.GetTimestamp();
                var outcome = await operation.RunAsync();
                interval.Count(operation.Type, outcome, Stopwatch.GetElapsedTime(start));
                if (outcome == OperationOutcome.Overloaded) await interval.PauseAsync(_overloadPause);
            }
        }
        catch
        {
            // The run has failed; the others stop, so that the failure surfaces now and not at the end.
            interval.End();
            throw;
        }
    }
}
