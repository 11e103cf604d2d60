using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Calls;
using Polyjuice.Training.Cluster.Races;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Cluster.Tests.Races;

[Collection(RecordedBankCollection.Name)]
public sealed class ClusterRaceTests(RecordedBank bank)
{
    private static readonly PolicyDocument s_occ = BuiltinPolicies.Get("occ").Document;

    private readonly StringWriter _output = new();

    [Fact]
    public async Task A_table_that_makes_less_on_the_cluster_is_not_better()
    {
        var verdict = await RunAsync(SlowTable.Document("-1"), s_occ, CancellationToken.None);

        Assert.False(verdict!.IsBetter);
        Assert.Equal(("slow-1", "occ"), (verdict.Found.Name, verdict.Best.Name));
        Assert.Contains(RaceTable.Sentence(verdict), _output.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("Warning", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("race, round 1 of 2", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_that_was_given_up_before_the_verdict_has_none()
    {
        using var ended = new CancellationTokenSource();
        await ended.CancelAsync();
        Assert.Null(await RunAsync(SlowTable.Document("-1"), s_occ, ended.Token));
    }

    private async Task<RaceVerdict?> RunAsync(
        PolicyDocument found, PolicyDocument before, CancellationToken cancellationToken)
    {
        // Here the application loads its states.
        var application = RecordedBank.Application.Slowed() with
        {
            LoadAsync = static (cluster, _) => RecordedBank.OpenAsync(cluster)
        };
        var plan = Plans.Of(bank.WithoutStates(), application, before);
        var clusters = new TestClusters(plan.Application, plan.Cluster);
        var windows = CallWindows.Of(plan.Trace, plan.Training.Workload.HeldOutFromMicroseconds, plan.Cluster.Clients);
        var (_, _, heldOut) = await new CallPreparation(plan, clusters, _output).RunAsync(
            windows, CancellationToken.None);
        return await new ClusterRace(plan, new CallMeasure(clusters), heldOut, _output).RunAsync(
            [found], [before], cancellationToken);
    }
}
