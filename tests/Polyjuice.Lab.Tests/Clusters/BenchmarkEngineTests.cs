using Polyjuice.Lab.Clusters;

namespace Polyjuice.Lab.Tests.Clusters;

public sealed class BenchmarkEngineTests
{
    [Theory]
    [InlineData("polyjuice", BenchmarkEngineKind.Polyjuice, null)]
    [InlineData("polyjuice-ungrouped", BenchmarkEngineKind.Polyjuice, null)]
    [InlineData("orleans", BenchmarkEngineKind.Orleans, null)]
    [InlineData("orleans-100ms", BenchmarkEngineKind.Orleans, 100)]
    [InlineData("plain", BenchmarkEngineKind.Plain, null)]
    public void An_engine_is_written_as_it_is_typed(string name, BenchmarkEngineKind kind, int? lockMilliseconds)
    {
        var engine = Assert.Single(BenchmarkEngine.ParseList(name));

        Assert.Equal(
            (kind, lockMilliseconds, name), (engine.Kind, (int?)engine.LockTimeout?.TotalMilliseconds, engine.Name));
    }

    [Theory]
    [InlineData("akka")]
    [InlineData("orleans-0ms")]
    [InlineData("orleans-ms")]
    [InlineData("plain,plain")]
    [InlineData("")]
    public void What_is_no_engine_is_refused(string text) =>
        Assert.Throws<CommandInputException>(() => BenchmarkEngine.ParseList(text));

    [Fact]
    public void Orleans_own_engine_has_no_storage_in_files()
    {
        var files = new ClusterShape(1, TimeSpan.Zero, TimeSpan.Zero, null, DataFolder: "somewhere");

        Assert.True(BenchmarkClusters.CanStart(files));
        Assert.False(BenchmarkClusters.CanStart(files with { Engine = BenchmarkEngine.Orleans }));
    }
}
