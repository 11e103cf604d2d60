using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Tests.Scoring;

public sealed class InParallelTests
{
    [Fact]
    public void A_failure_comes_out_as_it_was_thrown() =>
        Assert.Equal("broken", Assert.Throws<ReplayFailedException>(() => InParallel.For(4, 2, i => { if (i == 2) throw new ReplayFailedException("broken"); })).Message);

    [Fact]
    public void Each_number_is_run_once()
    {
        var runs = new int[50];

        InParallel.For(runs.Length, 3, i => Interlocked.Increment(ref runs[i]));

        Assert.All(runs, count => Assert.Equal(1, count));
    }
}
