using System.Runtime.ExceptionServices;

namespace Polyjuice.Training.Scoring;

/// <summary>Runs replays beside each other.</summary>
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
        try
        {
            Parallel.For(0, count, new ParallelOptions { MaxDegreeOfParallelism = threads, CancellationToken = cancellationToken }, run);
        }
        catch (AggregateException several)
        {
            ExceptionDispatchInfo.Throw(several.InnerExceptions[0]);
        }
    }
}
