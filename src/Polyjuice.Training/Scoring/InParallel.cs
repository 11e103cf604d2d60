using System.Runtime.ExceptionServices;

namespace Polyjuice.Training.Scoring;

/// <summary>
/// Runs replays beside each other, on the calling thread and on threads of its own. Not on the thread pool's: replays
/// take processors for minutes, and whoever shares the process, such as a silo, needs the pool for what cannot wait. On
/// Unix such threads have the caller's priority.
/// </summary>
internal static class InParallel
{
    /// <summary>Runs something for each number below a bound.</summary>
    /// <param name="count">The bound.</param>
    /// <param name="threads">How many at a time; at least 1.</param>
    /// <param name="run">What.</param>
    /// <param name="cancellationToken">Begins no more.</param>
    /// <exception cref="Exception">What one of them threw, as it was: nobody waits for several failures.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public static void For(int count, int threads, Action<int> run, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(threads, 1);
        var (next, failure) = (-1, default(ExceptionDispatchInfo));
        var others = new Thread[Math.Max(0, Math.Min(threads, count) - 1)];
        for (var i = 0; i < others.Length; i++)
        {
            others[i] = new Thread(Work) { IsBackground = true, Name = "Polyjuice replay" };
            others[i].Start();
        }

        Work();
        foreach (var other in others) other.Join();
        Volatile.Read(ref failure)?.Throw();
        if (next < count - 1) cancellationToken.ThrowIfCancellationRequested();

        void Work()
        {
            while (Volatile.Read(ref failure) is null && !cancellationToken.IsCancellationRequested
                && Interlocked.Increment(ref next) is var i && i < count)
            {
                try
                {
                    run(i);
                }
                catch (Exception exception)
                {
                    Interlocked.CompareExchange(ref failure, ExceptionDispatchInfo.Capture(exception), null);
                }
            }
        }
    }
}
