using Polyjuice.Training.Cluster.Calibration;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Cluster.Tests.Calibration;

public sealed class CalibrationResultTests : IDisposable
{
    private readonly TestFolder _folder = new();

    private string File => _folder.File("search.fit");

    public void Dispose() => _folder.Dispose();

    // Another digit would make it another search.
    [Fact]
    public void What_was_kept_makes_the_same_replay_to_the_last_digit()
    {
        var made = Make();
        made.Write(File);

        var read = CalibrationResult.Read(File, 7)!;

        var settings = new ReplaySettings();
        Assert.Equal(made.Apply(settings), read.Apply(settings));
        Assert.Equal(made.Costs.Access, read.Apply(settings).Costs.Access);
        Assert.Equal(made.Tables, read.Tables);
    }

    [Fact]
    public void That_of_another_training_is_refused_and_so_is_another_file()
    {
        Assert.Null(CalibrationResult.Read(File, 7));
        Make().Write(File);
        Assert.Contains(
            "another training",
            Assert.Throws<ArgumentException>(() => CalibrationResult.Read(File, 8)).Message,
            StringComparison.Ordinal);
        System.IO.File.WriteAllText(File, "torn {");
        Assert.Contains(
            "search.fit",
            Assert.Throws<ArgumentException>(() => CalibrationResult.Read(File, 7)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void How_far_it_is_off_is_said_for_each_table()
    {
        var said = Make().ToString();
        Assert.Contains(
            "locking  measured    1,000/s,    200 µs of a processor each; replayed    1,100/s (+10.0%)", said,
            StringComparison.Ordinal);
        Assert.Contains("(-50.0%)", said, StringComparison.Ordinal);
    }

    private static CalibrationResult Make() => new()
    {
        Fingerprint = 7,
        Tables = [new("locking", 1_000, 200, 1_100), new("occ", 100, 1_000, 50)],
        Costs = new ReplayCosts().Scaled(1.0 / 3),
        NetworkMicroseconds = 1_234,
        AppendMicroseconds = 0,
    };
}
