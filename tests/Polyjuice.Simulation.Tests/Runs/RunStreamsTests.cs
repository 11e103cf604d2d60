using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Tests.Runs;

public class RunStreamsTests
{
    [Theory]
    [InlineData("")]
    [InlineData("network=77")]
    [InlineData("load=1,network=2,storage=3,faults=4,policies=5")]
    public void What_is_read_is_written_back(string text) => Assert.Equal(text, RunStreams.Parse(text).ToString());

    [Theory]
    [InlineData("weather=1", "load, network, storage, faults, policies")]
    [InlineData("network", "name=number")]
    [InlineData("network=-1", "name=number")]
    public void What_is_no_stream_is_refused_with_the_reason(string text, string why) =>
        Assert.Contains(
            why, Assert.Throws<ArgumentException>(() => RunStreams.Parse(text)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("load=7")]
    [InlineData("network=7")]
    [InlineData("storage=7")]
    [InlineData("faults=7")]
    [InlineData("policies=7")]
    public void A_stream_of_its_own_makes_another_run_and_the_run_s_own_seed_the_same(string other)
    {
        var run = new RunCase { Seed = 11, Shape = Shapes.Small };
        var digest = Simulator.Run(run).Digest;
        Assert.NotEqual(digest, Simulator.Run(run with { Streams = RunStreams.Parse(other) }).Digest);
        Assert.Equal(
            digest,
            Simulator.Run(
                run with { Streams = RunStreams.Parse(other.Replace("=7", "=11", StringComparison.Ordinal)) }).Digest);
    }
}
