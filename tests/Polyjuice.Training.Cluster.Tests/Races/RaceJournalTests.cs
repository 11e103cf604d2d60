using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Races;

namespace Polyjuice.Training.Cluster.Tests.Races;

public sealed class RaceJournalTests : IDisposable
{
    private static readonly PolicyDocument s_occ = BuiltinPolicies.Get("occ").Document;
    private static readonly PolicyDocument s_ic3 = BuiltinPolicies.Get("ic3").Document;

    private readonly TestFolder _folder = new();

    private string File => _folder.File("race");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Whole_rounds_are_found_again_to_the_last_digit()
    {
        Write(1, (1, s_occ, 100.1), (1, s_ic3, 1.0 / 3), (2, s_ic3, 3), (2, s_occ, 4), (3, s_occ, 5));

        using var journal = RaceJournal.Open(File, 1);

        Assert.Equal(4, journal.Count);
        Assert.Equal(1.0 / 3, journal.Find(1, s_ic3));
        Assert.Equal(4, journal.Find(2, s_occ));
    }

    // Who compares in pairs measures them together.
    [Fact]
    public void The_last_round_is_measured_again_and_a_torn_line_is_dropped()
    {
        Write(1, (1, s_occ, 1), (1, s_ic3, 2), (2, s_occ, 3));
        System.IO.File.AppendAllText(File, "2 00");

        using (var journal = RaceJournal.Open(File, 1))
        {
            Assert.Null(journal.Find(2, s_occ));
            journal.Add(2, s_ic3, 7);
            journal.Add(2, s_occ, 8);
            journal.Add(3, s_occ, 9);
        }

        using var again = RaceJournal.Open(File, 1);
        Assert.Equal((1, 8), (again.Find(1, s_occ), again.Find(2, s_occ)));
    }

    [Fact]
    public void That_of_another_race_is_begun_anew()
    {
        Write(1, (1, s_occ, 1), (2, s_occ, 2));
        using (var other = RaceJournal.Open(File, 2)) Assert.Equal(0, other.Count);
        using var back = RaceJournal.Open(File, 1);
        Assert.Equal(0, back.Count);
    }

    [Theory]
    [InlineData("something else\n")]
    [InlineData("polyjuice-race 1 0000000000000001\n1 2\n")]
    public void A_file_that_is_no_race_is_refused_and_not_changed(string text)
    {
        System.IO.File.WriteAllText(File, text);
        Assert.Throws<ArgumentException>(() => RaceJournal.Open(File, 1));
        Assert.Equal(text, System.IO.File.ReadAllText(File));
    }

    private void Write(ulong fingerprint, params (int Round, PolicyDocument Table, double Rate)[] measured)
    {
        using var journal = RaceJournal.Open(File, fingerprint);
        foreach (var (round, table, rate) in measured) journal.Add(round, table, rate);
    }
}
