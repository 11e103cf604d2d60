using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Ycsb;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Workloads;

public class YcsbWorkloadTests
{
    public static TheoryData<string, int> Mixes
    {
        get
        {
            var data = new TheoryData<string, int>();
            foreach (var mix in YcsbMix.All)
            {
                data.Add(mix.Name, 1);
                data.Add(mix.Name, 4);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Mixes))]
    public async Task Records_are_as_acknowledged_in_every_mix(string mix, int operations)
    {
        var result = await WorkloadRuns.RunAsync(
            Of(mix, operations),
            [.. new[] { "occ", "locking", "ic3", "dirty-public" }.Select(BuiltinPolicies.Get)],
            theta: 0.99,
            operations: 120,
            accounts: 30);

        Assert.True(
            result.InvariantHeld,
            string.Join(Environment.NewLine, result.Checks.Select(check => check.Check.Description)));
        Assert.All(result.Rows, row => Assert.Equal((120, 0), (row.Committed, row.WaitsEndedByDeadline)));
    }

    [Theory]
    [InlineData("a", 3)]
    [InlineData("d", 1)]
    public async Task Records_are_as_acknowledged_under_all_faults_and_random_tables(string mix, int operations) =>
        Assert.True(
            (await WorkloadRuns.RunWithFaultsAsync(
                Of(mix, operations), seed: 5, accounts: 16))[OperationOutcome.Committed] > 0);

    [Fact]
    public void Each_mix_has_the_standards_shares()
    {
        string Shares(string name) => string.Join(
            ", ", Enumerable.Range(0, 100).GroupBy(YcsbMix.Find(name).Choose).Select(g => $"{g.Count()} {g.Key}"));
        Assert.Equal(
            [
                "50 Read, 50 Update", "95 Read, 5 Update", "100 Read", "95 Read, 5 Insert", "95 Scan, 5 Insert",
                "50 Read, 50 ReadModifyWrite"
            ],
            YcsbMix.All.Select(mix => Shares(mix.Name)));
    }

    [Fact]
    public void A_mix_that_does_not_exist_is_refused_with_those_that_do() =>
        Assert.StartsWith(
            "YCSB has no mix \"g\". Valid: a (half reads, half updates), b ",
            Assert.Throws<ArgumentException>(() => YcsbMix.Find("g")).Message);

    [Fact]
    public void A_field_that_does_not_hold_what_was_written_last_is_found()
    {
        var row = YcsbRow.Create(5).With(5, field: 3).With(5, field: 3);
        Assert.Null(row.Fault(5));
        Assert.Equal(2, row.Updates);
        Assert.All(row.Fields, field => Assert.Equal(YcsbRow.FieldLength, field.Text.Length));
        var torn = new YcsbRow { Fields = row.Fields.SetItem(3, row.Fields[3] with { Writes = 1 }) };
        Assert.Equal(
            "field 3 of record 5 says it was written 1 times, and does not hold what was written then", torn.Fault(5));
    }

    [Fact]
    public void Lost_updates_and_lost_records_are_found()
    {
        var inserts = new YcsbInserts(loaded: 1);
        var (told, untold) = (inserts.Next(), inserts.Next());
        inserts.Told(told);
        Assert.Equal((3, 2), (inserts.Count, inserts.Known));
        var check = new YcsbCheck();
        check.Note(0, YcsbRow.Create(0).With(0, 1));
        Assert.Equal(
            "RECORDS ARE WRONG: fields overwritten: 1, but clients were told of 2; 1 acknowledged records are "
            + "not there: 1",
            check.Judge(Tallies.Told(2), inserts).Description);
        check.Note(told, YcsbRow.Create(told));
        Assert.False(inserts.IsTold(untold));
        Assert.True(check.Judge(Tallies.Told(1), inserts).Holds);
        Assert.True(check.Judge(Tallies.Told(0, inDoubt: 1), inserts).Holds);
        Assert.False(check.Judge(Tallies.Told(0), inserts).Holds);
    }

    private static WorkloadDefinition Of(string mix, int operations) => YcsbWorkload.Definition with
    {
        Create = parameters => YcsbWorkload.Definition.Create(parameters with { Mix = mix, Operations = operations }),
    };
}
