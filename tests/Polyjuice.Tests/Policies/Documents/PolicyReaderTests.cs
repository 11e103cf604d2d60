using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Documents;

public class PolicyReaderTests
{
    [Fact]
    public void A_valid_file_says_what_it_says()
    {
        var document = Samples.Bank;
        Assert.Equal("bank", document.Name);
        Assert.Equal(3, document.Catalogue.Version);
        Assert.True(document.Catalogue.Types[0].Sites[1].Loop);
        Assert.Equal([8, 8, 8], document.BackoffOf("Transfer").Committed);
        Assert.Equal([4, 8, 0], document.BackoffOf("Balance").Aborted);
        var row = document.Find("Transfer")!.Find(Samples.Withdraw.Name)!;
        Assert.Equal(WaitCell.For(Samples.Deposit.Name), row.Waits["Transfer"]);
        Assert.Equal(WaitCell.Sealed, row.Waits["Balance"]);
        Assert.True(row.EarlyValidation);
        Assert.Equal(new("author", "a person"), Assert.Single(document.Provenance));
    }

    [Fact]
    public void Fields_that_a_row_leaves_out_are_what_occ_does()
    {
        var row = Samples.Bank.Find("Transfer")!.Default!;
        Assert.Equal(PolicyCells.Plain with { WaitForHolders = true }, row);
    }

    /// <summary>Each case replaces a part of the valid file; the part's line is found again by a marker.</summary>
    [Theory]
    [InlineData("\"schema\": 1,", "\"schema\": 5,", "schema", "reads schemas 1 to 4")]
    [InlineData("\"schema\": 1,", "\"schema\": \"1\",", "schema", "reads schemas 1 to 4")]
    [InlineData("\"name\": \"bank\",", "\"nome\": \"bank\",", "nome", "Unknown field")]
    [InlineData("\"name\": \"bank\",", "\"name\": 7,", "name", "a string")]
    [InlineData(
        "\"name\": \"bank\",", "\"name\": \"bank\", \"rule\": \"ic4\",", "rule",
        "There is no rule \"ic4\". Known: uniform, ic3")]
    [InlineData(
        "\"provenance\": { \"author\": \"a person\" },", "\"provenance\": { \"author\": 1 },", "provenance.author",
        "a string")]
    [InlineData("\"version\": 3,", "\"version\": 0,", "catalogue.version", "from 1")]
    [InlineData(
        "\"default\": { \"read\": \"dirty\", \"write\": \"public\" },", "\"default\": { \"read\": \"muddy\" },",
        "default.read", "\"clean\" or \"dirty\"")]
    [InlineData(
        "\"default\": { \"read\": \"dirty\", \"write\": \"public\" },",
        "\"default\": { \"waits\": { \"*\": \"Transfer\" } },", "default.waits.*", "\"sealed\" or \"no\"")]
    [InlineData(
        "\"default\": { \"read\": \"dirty\", \"write\": \"public\" },",
        "\"default\": { \"waits\": { \"Deposit\": \"no\" } },", "default.waits.Deposit", "It lists: Transfer, Balance")]
    [InlineData("\"committed\": [0, 1, 2]", "\"committed\": [0, 1, 3]", "backoff.committed", "0, 1, 2, 4 and 8")]
    [InlineData("\"committed\": [8, 8, 8]", "\"committed\": [8, 8]", "types[0].backoff.committed", "three multipliers")]
    [InlineData(
        "\"admission\": \"run\"", "\"admission\": \"dry-run+reserve\"", "types[0].admission",
        "write \"schema\": 2 at the top for \"dry-run+reserve\"")]
    [InlineData("\"admission\": \"run\"", "\"admission\": \"auto\"", "types[0].admission", "write \"schema\": 2")]
    [InlineData(
        "\"name\": \"bank\",", "\"name\": \"bank\", \"admission\": \"run\",", "admission", "write \"schema\": 2")]
    [InlineData("\"admission\": \"run\"", "\"admission\": 1", "types[0].admission", "write \"run\"")]
    [InlineData(
        "\"admission\": \"run\"", "\"admission\": \"walk\"", "types[0].admission",
        "\"run\" or \"dry-run\" or \"dry-run+reserve\" or \"declared+reserve\" or \"auto\"")]
    [InlineData("\"admission\": \"run\"", "\"heat\": []", "types[0].heat", "Unknown field")]
    [InlineData(
        "\"earlyValidation\": true,", "\"earlyValidation\": 1,", "types[0].rows[0].earlyValidation", "true or false")]
    [InlineData(
        "\"earlyValidation\": true,", "\"heat\": {},", "types[0].rows[0].heat",
        "write \"schema\": 3 at the top for rows of hot participants")]
    [InlineData(
        "{ \"Transfer\": \"Transfer>IAccount.Deposit Account.checking update\", \"*\"",
        "{ \"Transfer\": \"Transfer>IAccount.Deposit\", \"*\"", "types[0].rows[0].waits.Transfer",
        "has no site \"Transfer>IAccount.Deposit\"")]
    [InlineData(
        "{ \"Transfer\": \"Transfer>IAccount.Deposit Account.checking update\", \"*\"", "{ \"Transfer\": 4, \"*\"",
        "types[0].rows[0].waits.Transfer", "4 is out of range: \"Transfer\" has 3 sites")]
    [InlineData(
        "{ \"Transfer\": \"Transfer>IAccount.Deposit Account.checking update\", \"*\"", "{ \"Transfer\": 3, \"*\"",
        "types[0].rows[0].waits.Transfer", "write its name, \"Transfer>IAudit.Note Audit.log update\"")]
    [InlineData(
        "\"waits\": { \"Balance\": \"sealed\" }", "\"waits\": { \"Balance\": \"sealed\", \"Balance\": \"no\" }",
        "types[0].rows[1].waits.Balance", "twice")]
    [InlineData(
        "\"site\": \"Transfer>IAudit.Note Audit.log update\", \"read\"",
        "\"site\": \"Transfer>IAudit.Mark\", \"read\"", "types[0].rows[2].site", "has no site")]
    [InlineData(
        "\"site\": \"Transfer>IAudit.Note Audit.log update\", \"read\"",
        "\"site\": \"Transfer>IAccount.Deposit Account.checking update\", \"read\"", "types[0].rows[2].site",
        "two rows")]
    [InlineData(
        "\"site\": \"Transfer>IAudit.Note Audit.log update\", \"read\"", "\"read\"", "types[0].rows[2].site",
        "Is missing")]
    [InlineData(
        "{ \"type\": \"Balance\", \"sites\"", "{ \"type\": \"Transfer\", \"sites\"", "catalogue.types[1].type",
        "twice")]
    [InlineData(
        "\"state\": \"Audit.log\", \"kind\": \"update\"", "\"state\": \"Audit.log\"",
        "catalogue.types[0].sites[2].kind", "\"read\" or \"update\"")]
    [InlineData(
        "\"state\": \"Audit.log\", \"kind\": \"update\"", "\"kind\": \"update\"", "catalogue.types[0].sites[2].state",
        "Is missing")]
    [InlineData(
        "{ \"site\": \"Balance Account.checking read\", \"state\"", "{ \"site\": \"sealed\", \"state\"",
        "catalogue.types[1].sites[0].site", "meaning of its own")]
    public void What_is_wrong_is_named_by_file_line_and_field(string part, string instead, string field, string message)
    {
        var at = Samples.BankJson.IndexOf(part, StringComparison.Ordinal);
        Assert.True(at >= 0, "The part is in the file.");
        var line = Samples.BankJson.AsSpan(0, at).Count('\n') + 1;
        var e = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(
                Samples.BankJson[..at] + instead + Samples.BankJson[(at + part.Length)..], "bank.json"));
        Assert.Equal("bank.json", e.File);
        var problem = Assert.Single(e.Problems, p => p.Field == field);
        Assert.Equal(line, problem.Line);
        Assert.True(problem.Column > 0);
        Assert.Contains(message, problem.Message);
        Assert.Contains($"bank.json({line},{problem.Column}): {field}: ", e.Message);
    }

    [Fact]
    public void A_type_of_the_catalogue_that_is_missing_is_named()
    {
        var e = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(WithoutDefault.Replace(BalanceEntry, ""), "bank.json"));
        Assert.Equal("types", e.Field);
        Assert.True(e.Line > 1);
        Assert.Contains("The type \"Balance\" of the catalogue is missing", e.Message);
    }

    [Fact]
    public void A_type_entry_without_its_name_is_refused()
    {
        var e = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(
                "{ \"schema\": 1, \"name\": \"x\", \"default\": {},\n\"types\": [\n{ \"rows\": [] } ] }", "x.json"));
        Assert.Equal((3, "types[0].type"), (e.Line, e.Field));
    }

    [Fact]
    public void Rows_without_a_catalogue_are_refused()
    {
        var e = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(
                "{ \"schema\": 1, \"name\": \"x\", \"rule\": \"ic3\", \"types\": [ { \"type\": \"T\" } ] }", "x.json"));
        Assert.Equal("types[0].type", e.Field);
        Assert.Contains("has no catalogue", e.Message);
    }

    [Theory]
    [InlineData("{ \"schema\": 1,\n \"name\": }", 2)]
    [InlineData("{ \"schema\": 1,\n \"name\": \"x\"", 2)]
    [InlineData("", 1)]
    [InlineData("{} {}", 1)]
    public void What_is_not_json_is_named_by_line(string text, int line)
    {
        var e = Assert.Throws<PolicyFormatException>(() => PolicyReader.Parse(text, "x.json"));
        Assert.Equal(line, e.Line);
        Assert.Contains("x.json(", e.Message);
        Assert.DoesNotContain("LineNumber", e.Message);
    }

    [Theory]
    [InlineData("[]")]
    [InlineData("7")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("{ \"schema\": 1 }")]
    [InlineData("{ \"schema\": 1, \"name\": \"x\" }")]
    [InlineData(
        "{ \"schema\": 1, \"name\": \"x\", \"default\": [], \"types\": {}, \"catalogue\": 1, \"backoff\": null, "
        + "\"provenance\": true }")]
    public void What_is_not_a_policy_is_refused(string text) =>
        Assert.Throws<PolicyFormatException>(() => PolicyReader.Parse(text, "x.json"));

    [Fact]
    public void Several_mistakes_are_reported_together_in_the_order_of_the_file()
    {
        var text = Samples.BankJson.Replace(
            "\"read\": \"dirty\", \"write\": \"public\" },", "\"read\": \"x\", \"write\": \"y\" },")
            .Replace("\"admission\": \"run\"", "\"admission\": \"z\"");
        var e = Assert.Throws<PolicyFormatException>(() => PolicyReader.Parse(text, "bank.json"));
        Assert.Equal(["default.read", "default.write", "types[0].admission"], e.Problems.Select(p => p.Field));
    }

    [Fact]
    public void A_byte_order_mark_and_letters_beyond_ascii_do_not_shift_the_columns()
    {
        var e = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(
                [0xEF, 0xBB, 0xBF, .. "{ \"schema\": 1, \"name\": \"é…\", \"x\": 1 }"u8], "x.json"));
        Assert.Equal((1, 30), (e.Line, e.Column));
    }

    [Fact]
    public void A_site_without_a_row_is_named_when_nothing_else_gives_it_one()
    {
        var row = "{ \"site\": \"Balance Account.checking read\", \"read\": \"dirty\"";
        var text = WithoutDefault;
        var from = text.IndexOf(row, StringComparison.Ordinal);
        var e = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(text.Remove(from, text.IndexOf('\n', from) - from), "bank.json"));
        Assert.Contains("\"Balance\" has no row for its site \"Balance Account.checking read\"", e.Message);
    }

    private static string WithoutDefault =>
        Samples.BankJson.Replace("\"default\": { \"read\": \"dirty\", \"write\": \"public\" },", "");

    private static string BalanceEntry
    {
        get
        {
            var text = WithoutDefault;
            var from = text.IndexOf(",\n    {\n      \"type\": \"Balance\"", StringComparison.Ordinal);
            return text[from..text.LastIndexOf("\n  ]", StringComparison.Ordinal)];
        }
    }
}
