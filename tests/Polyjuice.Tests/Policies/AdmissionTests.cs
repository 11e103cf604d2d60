using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

/// <summary>How transactions are let in: in files, in grids, in tables.</summary>
public class AdmissionTests
{
    [Theory]
    [InlineData("run", PolicyAdmission.Run)]
    [InlineData("dry-run", PolicyAdmission.DryRun)]
    [InlineData("dry-run+reserve", PolicyAdmission.DryRunReserve)]
    [InlineData("declared+reserve", PolicyAdmission.DeclaredReserve)]
    [InlineData("auto", PolicyAdmission.Auto)]
    internal void Each_is_read_compiled_shown_and_written_back(string name, PolicyAdmission admission)
    {
        var document = PolicyReader.Parse(
            Samples.BankJson.Replace("\"schema\": 1", "\"schema\": 2")
                .Replace("\"admission\": \"run\"", $"\"admission\": \"{name}\""),
            "bank.json");
        Assert.Equal(admission, document.AdmissionOf("Transfer"));
        Assert.Equal(PolicyAdmission.Run, document.AdmissionOf("Balance"));
        Assert.Equal(document, PolicyReader.Parse(PolicyWriter.Write(document), "again.json"));
        Assert.Contains($"admission: {name})", PolicyGrid.Render(document));
        var registry = new SiteRegistry();
        var transfer = registry.GetOrAddType("Transfer");
        var table = new DocumentPolicy(document).Compile(registry, 1);
        Assert.Equal((admission, PolicyAdmission.Run), (table.AdmissionOf(transfer), table.AdmissionOf(int.MaxValue)));
    }

    [Fact]
    public void The_documents_own_is_for_all_types_that_have_none()
    {
        var document = Samples.Bank with
        {
            Admission = PolicyAdmission.Auto,
            Types = [.. Samples.Bank.Types.Select(type => type with { Admission = null })]
        };
        Assert.Equal(PolicyAdmission.Auto, document.AdmissionOf("Transfer"));
        Assert.Equal(PolicyAdmission.Auto, document.AdmissionOf(null));
        Assert.Equal(document, PolicyReader.Parse(PolicyWriter.Write(document), "again.json"));
        Assert.Contains("other types  (admission: auto)", PolicyGrid.Render(document));
        Assert.All(
            new DocumentPolicy(document).Materialize().Types,
            type => Assert.Equal(PolicyAdmission.Auto, type.Admission));
    }

    [Fact]
    public void What_schema_1_can_say_is_written_in_schema_1()
    {
        Assert.Contains("\"schema\": 1,", PolicyWriter.Write(Samples.Bank));
        Assert.Contains("\"schema\": 2,", PolicyWriter.Write(Samples.Bank with { Admission = PolicyAdmission.DryRun }));
    }

    [Fact]
    public void A_difference_shows()
    {
        var differences = PolicyDiff.Compare(Samples.Bank, Samples.Bank with { Admission = PolicyAdmission.DryRun });
        Assert.Contains(new PolicyDifference("default row", "admission", "run", "dry-run"), differences);
        Assert.Contains(
            differences, difference => difference is { Where: "Balance", Cell: "admission", Right: "dry-run" });
    }
}
