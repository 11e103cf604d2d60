using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Text;

public class PolicyGridTests
{
    [Fact]
    public void A_row_shows_its_cells_under_their_columns()
    {
        var lines = PolicyGrid.Render(Samples.Bank).Split('\n');
        var header = Assert.Single(
            lines, line => line.Contains("site ", StringComparison.Ordinal) && line.Contains("holders"));
        var row = Assert.Single(lines, line => line.Contains(Samples.Withdraw.Name));
        Assert.Equal("clean", Cell("read"));
        Assert.Equal("private", Cell("write"));
        Assert.Equal("yes", Cell("early"));
        Assert.Equal(".", Cell("holders"));
        Assert.Equal("2", Cell("A "));
        Assert.Equal("sealed", Cell("B "));
        Assert.Equal("sealed", Cell("rest"));

        string Cell(string column) =>
            row[header.IndexOf(column, header.IndexOf("read", StringComparison.Ordinal), StringComparison.Ordinal)..]
                .Split(
                    ' ')[0];
    }

    [Fact]
    public void Void_waits_are_in_parentheses_and_loops_have_a_star()
    {
        var text = PolicyGrid.Render(Samples.Bank);
        var row = Assert.Single(text.Split('\n'), line => line.Contains(Samples.Deposit.Name));
        Assert.Contains("(sealed)", row);
        Assert.StartsWith("2*", row.Trim());
        Assert.Contains("void", text);
    }

    [Fact]
    public void As_a_table_it_has_a_section_for_each_type_and_a_cell_for_each_column()
    {
        var table = PolicyGrid.Of(Samples.Bank);
        Assert.Equal(
            [.. Samples.Bank.Catalogue.Types.Select(type => type.Name), ""],
            table.Sections.Select(section => section.Type));
        Assert.All(
            table.Sections.SelectMany(section => section.Rows),
            row => Assert.Equal(table.Columns.Count - 1, row.Cells.Count));
        Assert.Contains(table.Sections[0].Rows, row => row.Site == Samples.Withdraw.Name && row.Cells[0] == "clean");
        Assert.NotEmpty(table.Legend);
    }

    [Theory]
    [MemberData(nameof(BuiltinPoliciesTests.Names), MemberType = typeof(BuiltinPoliciesTests))]
    public void A_policy_without_a_catalogue_shows_its_default_row(string name)
    {
        var text = PolicyGrid.Render(BuiltinPolicies.Get(name).Document);
        Assert.StartsWith($"{name}: ", text);
        Assert.Contains("every", text);
    }
}
