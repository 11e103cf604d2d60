using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class PolicyExplainCommandTests : IDisposable
{
    private static readonly string s_recorded =
        Repository.PathOf("tests/Polyjuice.Training.Tests/Traces/Files/multitransfer");

    private static readonly string[] s_trace =
        ["--trace", s_recorded, "--clients", "16", "--network-ms", "1", "--append-ms", "2", "--transactions", "100",
            "--replays", "2"];

    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task A_built_in_policy_is_explained_over_a_workload_beside_the_others_but_itself()
    {
        var (exitCode, output, error) = await _tool.RunAsync("policy", "explain", "ic3", "--workload", "tpcc");

        Assert.Equal((0, ""), (exitCode, error));
        Assert.StartsWith("ic3, compared with occ\n", output, StringComparison.Ordinal);
        Assert.Contains("\nPayment, 7 sites\n", output, StringComparison.Ordinal);
        Assert.DoesNotContain("What its cells are worth", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_learned_table_is_explained_with_what_the_file_beside_it_says_against_what_is_asked_for()
    {
        var learned = Repository.PathOf("policies/learned/tpcc-1-warehouse.json");

        var (exitCode, output, error) = await _tool.RunAsync("policy", "explain", learned, "--against", "dirty-public");

        Assert.Equal((0, ""), (exitCode, error));
        Assert.StartsWith("tpcc-1-warehouse, compared with dirty-public\n", output, StringComparison.Ordinal);
        Assert.Contains("It was trained on 2,994 transactions of tpcc-trace, with 64 clients",
            output.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [Fact]
    public async Task On_a_trace_it_says_what_groups_of_cells_are_worth_and_draws_it()
    {
        var page = _tool.PathOf("explained.html");

        var (exitCode, output, error) =
            await _tool.RunAsync(
            ["policy", "explain", "dirty-public", .. s_trace, "--against", "occ,locking", "--html", page]);

        Assert.Equal((0, ""), (exitCode, error));
        Assert.Contains("What its cells are worth, by 2 replays of each table on held-out data of multitransfer",
            output, StringComparison.Ordinal);
        Assert.Matches(@"\n  visibility, all types +\d+ +[+-]\d+\.\d% ±\d+\.\d% ", output);
        Assert.Contains($"written: {page}", output, StringComparison.Ordinal);
        var html = await File.ReadAllTextAsync(page);
        foreach (
            var part in new[] { "where it differs from occ", "where it differs from locking", "<svg",
            "visibility, all types", "It reads dirty versions" })
            Assert.Contains(part, html, StringComparison.Ordinal);
        Assert.DoesNotContain("http://", html.Replace("http://www.w3.org/2000/svg", "", StringComparison.Ordinal),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_same_command_says_the_same()
    {
        string[] command = ["policy", "explain", "dirty-public", .. s_trace, "--against", "occ"];

        var (one, two) = (await _tool.RunAsync(command), await _tool.RunAsync([.. command, "--threads", "1"]));

        Assert.Equal(Worth(one.Output), Worth(two.Output));

        static string Worth(string output) =>
            output[output.IndexOf("What its cells are worth", StringComparison.Ordinal)..];
    }

    [Fact]
    public async Task Ended_by_somebody_it_shows_and_draws_what_is_there()
    {
        var page = _tool.PathOf("explained.html");

        var (exitCode, output, _) = await _tool.InterruptAsync(
            "the tables themselves",
                ["policy", "explain", "dirty-public", .. s_trace, "--against", "occ", "--html", page]);

        Assert.Equal(ExitCodes.Cancelled, exitCode);
        Assert.Contains("Ended before the tables themselves were replayed", output, StringComparison.Ordinal);
        Assert.Contains("It reads dirty versions", output, StringComparison.Ordinal);
        Assert.Contains("where it differs from occ", await File.ReadAllTextAsync(page), StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_only_the_table_or_only_the_trace_has_is_named()
    {
        var trace = TraceFile.Read([s_recorded], default).Trace;
        var ran = trace.ToCatalogue().Types.First(type =>
            trace.Transactions.ToArray().Any(one => trace.Types[one.Type] == type.Name));
        var file =
            Write(ran with { Sites =
            [.. ran.Sites, new($"{ran.Name} Bank.note update", "Bank.note", AccessKind.Update)] },
            Named("IBank.Close"));

        var (exitCode, output, error) = await _tool.RunAsync(["policy", "explain", file, .. s_trace]);

        Assert.Equal((0, ""), (exitCode, error));
        var text = output.ReplaceLineEndings(" ").Replace("     ", " ", StringComparison.Ordinal);
        Assert.Contains("Of the table, these types did not run in the trace, and are left out here: IBank.Close.", text,
            StringComparison.Ordinal);
        Assert.Contains($"Of the table, these sites were not passed in the trace: \"{ran.Name} Bank.note update\".",
            text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_trace_in_which_none_of_the_tables_types_ran_is_refused_with_those_that_did()
    {
        var (exitCode, output, error) =
            await _tool.RunAsync(["policy", "explain", Write(Named("IBank.Close")), .. s_trace]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("none of its types ran in the trace. Those that did: I", error, StringComparison.Ordinal);
        Assert.DoesNotContain("Everywhere", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_beside_the_table_that_is_no_provenance_is_refused_by_its_name()
    {
        var file = Write(Named("IBank.Close"));
        var provenance = _tool.Write("mine.provenance.json", "{}");

        var (exitCode, _, error) = await _tool.RunAsync("policy", "explain", file);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.StartsWith($"{provenance}: It is no provenance of a training", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("calvin", "2pl-star")]
    [InlineData("none.json", "none.json")]
    [InlineData("ic3", "ic3 has no catalogue, so it has no sites to speak of. Name a --workload")]
    [InlineData("ic3 --workload ycsb", "tpcc, tpce, micro")]
    [InlineData("ic3 --workload tpcc --against calvin", "2pl-star")]
    [InlineData("ic3 --workload tpcc --against occ,occ", "--against: \"occ\" is there twice")]
    [InlineData("ic3 --workload tpcc --html page.txt", ".html")]
    [InlineData("ic3 --workload tpcc --html none/page.html", "no folder")]
    [InlineData("ic3 --workload tpcc --clients 5", "--clients is for --trace")]
    [InlineData("ic3 --workload tpcc --replays 5", "--replays is for --trace")]
    [InlineData("ic3 --trace nowhere", "nowhere")]
    [InlineData("ic3 --trace nowhere --replays 1", "--replays")]
    [InlineData("ic3 --trace nowhere --clients 0", "--clients")]
    public async Task Wrong_input_is_refused_with_what_is_right(string arguments, string expected)
    {
        var (exitCode, output, error) = await _tool.RunAsync(["policy", "explain", .. arguments.Split(' ')]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.Equal("", output);
        Assert.Empty(Directory.GetFiles(_tool.PathOf("")));
    }

    private static CatalogueType Named(string type) =>
        new() { Name = type, Sites = [new($"{type} Bank.money update", "Bank.money", AccessKind.Update)] };

    private string Write(params CatalogueType[] types) => _tool.Write("mine.json", PolicyWriter.Write(
        new PolicyDocument { Name = "mine", Rule = PolicyRules.Uniform,
            Catalogue = new SiteCatalogue { Version = 1, Types = types } }));
}
