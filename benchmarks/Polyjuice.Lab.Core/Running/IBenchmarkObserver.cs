using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>
/// Hears how a benchmark goes, for display. Called from one thread at a time, and should return soon.
/// </summary>
internal interface IBenchmarkObserver
{
    /// <summary>A benchmark begins.</summary>
    void Started(BenchmarkPlan plan, IReadOnlyList<BenchmarkArm> arms);

    /// <summary>The process warms up; see <see cref="BenchmarkPlan.ProcessWarmup"/>.</summary>
    void WarmingUp();

    /// <summary>
    /// The workload's initial states are being made. Called often, on the clients' thread; the default does nothing.
    /// </summary>
    /// <param name="share">0 to 1.</param>
    void Loading(double share)
    {
    }

    /// <summary>An arm's interval begins (with its warm-up).</summary>
    /// <param name="arm">The arm.</param>
    /// <param name="round">From 1.</param>
    void ArmStarted(BenchmarkArm arm, int round);

    /// <summary>A few times a second while an arm is measured.</summary>
    void Progress(BenchmarkArm arm, long committed, TimeSpan elapsed);

    /// <summary>
    /// By how much an interval that is measured by time is longer than planned, because what was to happen in it
    /// happens later. Asked after each <see cref="Progress"/>; never falls. By default it is not longer.
    /// </summary>
    TimeSpan Delay => TimeSpan.Zero;

    /// <summary>An arm's interval has ended and its invariant was checked.</summary>
    void ArmEnded(BenchmarkArm arm, int round, IntervalSample sample, InvariantCheck check);
}

/// <summary>Shows nothing.</summary>
internal class SilentObserver : IBenchmarkObserver
{
    /// <inheritdoc/>
    public void Started(BenchmarkPlan plan, IReadOnlyList<BenchmarkArm> arms)
    {
    }

    /// <inheritdoc/>
    public void WarmingUp()
    {
    }

    /// <inheritdoc/>
    public void ArmStarted(BenchmarkArm arm, int round)
    {
    }

    /// <inheritdoc/>
    public virtual void Progress(BenchmarkArm arm, long committed, TimeSpan elapsed)
    {
    }

    /// <inheritdoc/>
    public virtual TimeSpan Delay => TimeSpan.Zero;

    /// <inheritdoc/>
    public void ArmEnded(BenchmarkArm arm, int round, IntervalSample sample, InvariantCheck check)
    {
    }
}
