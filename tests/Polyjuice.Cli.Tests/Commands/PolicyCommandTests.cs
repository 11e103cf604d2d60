using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class PolicyCommandTests : IDisposable
{
    private const string Valid = "{ \"schema\": 1, \"name\": \"mine\",\n\"rule\": \"ic3\" }";
    private const string Invalid = "{ \"schema\": 1, \"name\": \"mine\",\n\"rule\": \"ic4\" }";

    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task List_names_every_built_in_policy()
    {
        var answer = await _tool.RunAsync("policy", "list");
        Assert.Equal((0, ""), (answer.ExitCode, answer.Error));
        Assert.Equal(
            BuiltinPolicies.Names,
            answer.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ')[0]));
    }

    [Fact]
    public async Task Show_draws_the_grid_of_a_built_in_policy_or_a_file()
    {
        var builtIn = await _tool.RunAsync("policy", "show", "ic3", "--workload", "tpcc");
        Assert.Equal(0, builtIn.ExitCode);
        Assert.Contains("NewOrder Stock update", builtIn.Output);
        var file = await _tool.RunAsync("policy", "show", _tool.Write("mine.json", Valid));
        Assert.StartsWith("mine", file.Output);
    }

    [Fact]
    public async Task Show_as_json_spells_out_every_row()
    {
        var answer = await _tool.RunAsync("policy", "show", "ic3", "--workload", "tpcc", "--json");
        var document = PolicyReader.Parse(answer.Output, "shown.json");
        Assert.Equal(26, document.Types.Sum(type => type.Rows.Count));
        Assert.Equal(PolicyRules.Uniform, document.Rule);
    }

    [Fact]
    public async Task An_unknown_policy_or_workload_is_answered_with_the_valid_ones()
    {
        var policy = await _tool.RunAsync("policy", "show", "calvin");
        Assert.Equal(2, policy.ExitCode);
        Assert.Contains(
            "2pl-star, 2pl-wait-die, 2pl-wound-wait, auto, callas, chosen, cormcc, dirty-public, ic3, ic3-eager, "
            + "locking, mvtso, occ, reserve, sundial",
            policy.Error);
        Assert.DoesNotContain("Parameter", policy.Error);
        var workload = await _tool.RunAsync("policy", "show", "ic3", "--workload", "ycsb");
        Assert.Equal(2, workload.ExitCode);
        Assert.Contains("tpcc, tpce, micro", workload.Error);
    }

    [Fact]
    public async Task Validate_says_where_what_is_wrong()
    {
        var (good, bad) = (_tool.Write("good.json", Valid), _tool.Write("bad.json", Invalid));
        Assert.Equal(0, (await _tool.RunAsync("policy", "validate", good)).ExitCode);
        var answer = await _tool.RunAsync("policy", "validate", bad, good);
        Assert.Equal(1, answer.ExitCode);
        Assert.Contains($"{bad}(2,9): rule: There is no rule \"ic4\"", answer.Error);
        Assert.Contains($"{good}: valid", answer.Output);
    }

    [Fact]
    public async Task Validate_names_types_that_did_not_run_in_a_trace()
    {
        var trace = Repository.PathOf("tests/Polyjuice.Training.Tests/Traces/Files/multitransfer");
        var ran = TraceFile.Read([trace], default).Trace.Types[0];
        var some = _tool.Write("some.json", Naming(ran, ran + "s"));
        var none = _tool.Write("none.json", Naming(ran + "s"));

        var (exitCode, output, error) = await _tool.RunAsync("policy", "validate", some, "--trace", trace);
        Assert.Equal(0, exitCode);
        Assert.Contains($"{some}: valid", output, StringComparison.Ordinal);
        Assert.Contains(
            $"{some}: types that did not run in the trace: {ran}s (is it {ran}?)", error, StringComparison.Ordinal);

        Assert.Equal(1, (await _tool.RunAsync("policy", "validate", none, "--trace", trace)).ExitCode);
        Assert.Equal(
            (0, ""),
            (await _tool.RunAsync("policy", "validate", none)) is var alone ? (alone.ExitCode, alone.Error) : default);
    }

    [Fact]
    public async Task A_file_that_is_missing_is_named()
    {
        var answer = await _tool.RunAsync("policy", "validate", _tool.PathOf("nowhere.json"));
        Assert.Equal(2, answer.ExitCode);
        Assert.Contains("nowhere.json", answer.Error);
    }

    [Fact]
    public async Task Diff_tells_by_its_exit_code_whether_policies_differ()
    {
        var file = _tool.Write("mine.json", Valid);
        Assert.Equal(0, (await _tool.RunAsync("policy", "diff", "occ", "tictoc")).ExitCode);
        var answer = await _tool.RunAsync("policy", "diff", "occ", "ic3", "--workload", "tpcc");
        Assert.Equal(1, answer.ExitCode);
        Assert.Contains("NewOrder: NewOrder Stock update", answer.Output);
        Assert.Equal(1, (await _tool.RunAsync("policy", "diff", "occ", file)).ExitCode);
        Assert.Equal(2, (await _tool.RunAsync("policy", "diff", "occ", _tool.Write("bad.json", Invalid))).ExitCode);
    }

    [Fact]
    public async Task Import_and_export_are_each_others_inverse()
    {
        var text = ArtifactWriter.Write(
            BuiltinPolicies.Get("dirty-public").Document with { Catalogue = ArtifactWorkloads.Get("micro") });
        var (input, policy, output) =
            (_tool.Write("in.txt", text), _tool.PathOf("policy.json"), _tool.PathOf("out.txt"));
        var import = await _tool.RunAsync("policy", "import", input, "--workload", "micro", "--out", policy);
        Assert.Equal((0, "", ""), (import.ExitCode, import.Output, import.Error));
        Assert.Equal(0, (await _tool.RunAsync("policy", "validate", policy)).ExitCode);
        Assert.Equal(0, (await _tool.RunAsync("policy", "export", policy, "--out", output)).ExitCode);
        Assert.Equal(text, File.ReadAllText(output));
        Assert.Equal(text, (await _tool.RunAsync("policy", "export", policy)).Output);
    }

    [Fact]
    public async Task Import_needs_a_workload_and_refuses_a_file_of_another()
    {
        var file = _tool.Write(
            "in.txt",
            ArtifactWriter.Write(
                BuiltinPolicies.Get("occ").Document with { Catalogue = ArtifactWorkloads.Get("micro") }));
        var without = await _tool.RunAsync("policy", "import", file);
        Assert.Equal(2, without.ExitCode);
        Assert.Contains("--workload", without.Error);
        var another = await _tool.RunAsync(
            "policy", "import", file, "--workload", "tpcc", "--out", _tool.PathOf("out.json"));
        Assert.Equal(2, another.ExitCode);
        Assert.Contains("in.txt(4,1): commit backoff", another.Error);
        Assert.False(File.Exists(_tool.PathOf("out.json")));
    }

    [Fact]
    public async Task Export_refuses_what_the_format_cannot_say()
    {
        var answer = await _tool.RunAsync("policy", "export", "locking", "--workload", "tpcc");
        Assert.Equal(2, answer.ExitCode);
        Assert.Contains("The format has no wait for holders", answer.Error);
        Assert.Empty(answer.Output);
    }

    private static string Naming(params string[] types)
    {
        var site = (string type) => new CatalogueSite($"{type} Bank.money update", "Bank.money", AccessKind.Update);
        return PolicyWriter.Write(new PolicyDocument
        {
            Name = "mine", Rule = "ic3",
            Catalogue = new SiteCatalogue
            {
                Version = 1,
                Types = [.. types.Select(type => new CatalogueType { Name = type, Sites = [site(type)] })]
            },
        });
    }
}
