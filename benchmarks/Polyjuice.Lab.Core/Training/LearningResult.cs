using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Training;

namespace Polyjuice.Lab.Training;

/// <summary>What a <see cref="LearningRun"/> came to.</summary>
/// <param name="Training">
/// The training; <see langword="null"/> if somebody ended it before it had replayed anything.
/// </param>
/// <param name="Files">The learned table's, if it was worth writing.</param>
internal sealed record LearningResult(TrainingResult? Training, IReadOnlyList<string> Files)
{
    /// <summary>The seconds around the swap; <see langword="null"/> if nothing was swapped in.</summary>
    public SwapResult? Swap { get; init; }

    /// <summary>The invariant of the cluster that was recorded and had its table swapped.</summary>
    public InvariantCheck? Check { get; init; }

    /// <summary>The comparison; <see langword="null"/> if there was none.</summary>
    public BenchmarkResult? Comparison { get; init; }

    /// <summary>
    /// Whether all invariants held that were checked, and no call failed while the table was swapped.
    /// </summary>
    public bool IsSound =>
        Check is not { Holds: false } && Swap is not { Failed: > 0 } && Comparison is not { InvariantHeld: false };

    /// <summary>
    /// What a program answers: 0 if a table was learned; 1 if an invariant did not hold or a call failed; 3 if no
    /// better table was found; 130 if it was ended before there was an answer.
    /// </summary>
    public int ExitCode => Training is null ? 130 : !IsSound ? 1 : Files.Count > 0 ? 0 : 3;
}

/// <summary>The seconds around a swap under load.</summary>
/// <param name="CommittedPerSecond">Second by second.</param>
/// <param name="Second">The one in which the table was swapped, from 0; −1 if it was not.</param>
/// <param name="Failed">Calls that failed meanwhile: given up after retries, or in doubt.</param>
public sealed record SwapResult(IReadOnlyList<double> CommittedPerSecond, int Second, long Failed);
