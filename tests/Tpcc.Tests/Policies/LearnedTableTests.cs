using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Tpcc.Workload;

namespace Tpcc.Tests.Policies;

public class LearnedTableTests
{
    internal static readonly string Table = Repository.PathOf("policies/learned/tpcc-1-warehouse.json");

    [Fact]
    public void It_is_written_in_the_canonical_form_with_its_provenance_beside_it()
    {
        var document = PolicyReader.Load(Table);

        Assert.Equal(File.ReadAllText(Table), PolicyWriter.Write(document));
        Assert.Equal(Path.GetFileNameWithoutExtension(Table), document.Name);
        var provenance = document.Provenance.Single(entry => entry.Key == "details").Value;
        Assert.Contains(
            document.Provenance.Single(entry => entry.Key == "sha256").Value,
            File.ReadAllText(Path.Combine(Path.GetDirectoryName(Table)!, provenance)),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_has_a_row_for_every_access_of_the_sample_and_all_conditions_hold()
    {
        var document = PolicyReader.Load(Table);
        var policy = new SeenSites(new DocumentPolicy(document));
        var plan = new BenchmarkPlan
        {
            Workload = TpccWorkload.Definition,
            Policies = [policy],
            Clients = 16,
            OperationsPerInterval = 600,
            Parameters = new WorkloadParameters { Scale = 0.005 },
        };

        var result = await new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(
            plan, CancellationToken.None);

        Assert.True(result.InvariantHeld, string.Join("; ", result.Checks.Select(c => c.Check.Description)));
        Assert.All(
            document.Catalogue.Types,
            type => Assert.Equal(
                type.Sites.Select(site => site.Name).Order(StringComparer.Ordinal), policy.SitesOf(type.Name)));
    }
}
