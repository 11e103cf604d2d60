using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Lab.Tests.Commands;

public sealed class PolicyImportCommandTests : IDisposable
{
    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task Import_names_the_sites_of_the_samples_grains()
    {
        var file = _tool.Write(
            "in.txt",
            ArtifactWriter.Write(
                BuiltinPolicies.Get("dirty-public").Document with { Catalogue = ArtifactWorkloads.Get("tpcc") }));
        var policy = _tool.PathOf("policy.json");

        Assert.Equal(0, (await _tool.RunAsync("policy", "import", file, "--out", policy)).ExitCode);

        Assert.Contains("IDistrictGrain.NewOrder>IStockGrain.Take StockGrain.stock update", File.ReadAllText(policy));
        Assert.Equal(0, (await _tool.RunAsync("policy", "validate", policy)).ExitCode);
    }

    [Fact]
    public async Task A_table_of_another_workload_is_refused()
    {
        var micro = _tool.Write(
            "micro.txt",
            ArtifactWriter.Write(
                BuiltinPolicies.Get("occ").Document with { Catalogue = ArtifactWorkloads.Get("micro") }));
        Assert.Equal(2, (await _tool.RunAsync("policy", "import", micro)).ExitCode);
    }
}
