using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Policies;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Policies.Documents;

public class PolicyWriterTests
{
    [Fact]
    public void What_is_written_reads_back_as_it_was() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var document = RandomPolicies.Document(seed);
            var text = PolicyWriter.Write(document);
            var read = PolicyReader.Parse(text, "random.json");
            Assert.Equal(document, read);
            Assert.Equal(text, PolicyWriter.Write(read));
        }).Holds();

    [Fact]
    public void Documents_that_differ_in_one_cell_are_not_equal_and_differ_in_one_line()
    {
        var document = RandomPolicies.Document(4711) with { Default = PolicyCells.Plain };
        var other = document with { Default = PolicyCells.Plain with { WaitForHolders = true } };
        var (left, right) = (PolicyWriter.Write(document).Split('\n'), PolicyWriter.Write(other).Split('\n'));
        Assert.NotEqual(document, other);
        Assert.Equal(left.Length, right.Length);
        Assert.Single(left.Zip(right), pair => pair.First != pair.Second);
    }

    [Fact]
    public void Every_row_and_every_site_has_a_line_of_its_own()
    {
        var document = Samples.Bank;
        var lines = PolicyWriter.Write(document).Split('\n');
        foreach (var site in document.Catalogue.Types.SelectMany(type => type.Sites))
            Assert.Equal(
                2,
                lines.Count(
                    line => line.TrimStart().StartsWith($"{{ \"site\": \"{site.Name}\"", StringComparison.Ordinal)));
        Assert.DoesNotContain("\\u003E", string.Join('\n', lines), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Waits_are_written_sparse_and_in_one_order()
    {
        var waits = new PolicyWaits(
            WaitCell.Sealed, [new("B", WaitCell.No), new("A", WaitCell.For("x")), new("C", WaitCell.Sealed)]);
        var same = new PolicyWaits(WaitCell.Sealed, [new("A", WaitCell.For("x")), new("B", WaitCell.No)]);
        Assert.Equal(waits, same);
        Assert.Contains(
            "\"waits\": { \"A\": \"x\", \"B\": \"no\", \"*\": \"sealed\" }",
            PolicyWriter.Cells(new PolicyCells { Waits = waits }));
    }
}
