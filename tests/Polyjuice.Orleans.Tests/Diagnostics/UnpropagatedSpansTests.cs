using System.Diagnostics;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Diagnostics;

/// <summary>Silos without <c>AddActivityPropagation()</c>: Orleans' calls are no activities, and carry none.</summary>
public sealed class UnpropagatedSpansTests : IAsyncLifetime
{
    private InProcessTestCluster? _cluster;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        2, silo => silo.Configure<PolyjuiceOptions>(options => options.Policy = "locking"));

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Fact]
    public async Task A_wait_on_another_silo_than_the_transactions_own_is_part_of_the_attempt()
    {
        using var spans = new SpanRecorder("Polyjuice", "Microsoft.Orleans.Application");
        await WaitingElsewhere.RunAsync(_cluster!, spans);

        var wait = await spans.EndedAsync(activity => activity.OperationName == "polyjuice.wait");
        var attempt = await spans.EndedAsync(activity => activity.SpanId == wait.ParentSpanId);
        Assert.Equal(("polyjuice.attempt", spans.Root.TraceId), (attempt.OperationName, wait.TraceId));
        Assert.True(wait.HasRemoteParent);
        Assert.DoesNotContain(spans.All, activity => activity.Source.Name == "Microsoft.Orleans.Application");
    }
}
