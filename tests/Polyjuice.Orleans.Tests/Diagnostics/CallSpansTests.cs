using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Diagnostics;

public sealed class CallSpansTests : IAsyncLifetime
{
    private InProcessTestCluster? _cluster;

    private IClusterClient Client => _cluster!.Client;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        2, silo => silo.AddActivityPropagation().Configure<PolyjuiceOptions>(options => options.Policy = "locking"),
        client => client.UsePolyjuice().AddActivityPropagation());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Fact]
    public async Task A_transaction_lies_between_the_call_that_starts_it_and_those_that_it_makes()
    {
        await Client.GetGrain<IAccount>(1).Deposit(100);
        using var spans = new SpanRecorder("Polyjuice", "Microsoft.Orleans.Application");
        await Client.GetGrain<ITeller>(0).Transfer(1, 2, 30);
        var whole = await spans.EndedAsync(activity => activity.Source.Name == "Polyjuice" && IsWhole(activity));

        Assert.EndsWith("Transfer", whole.OperationName, StringComparison.Ordinal);
        var call = await spans.EndedAsync(activity => activity.SpanId == whole.ParentSpanId);
        Assert.Equal(("Microsoft.Orleans.Application", ActivityKind.Server), (call.Source.Name, call.Kind));
        var attempt = Assert.Single(spans.Below(whole));
        Assert.Equal("committed", attempt.GetTagItem("polyjuice.transaction.outcome"));
        var calls = spans.Below(attempt).Where(part => part.Kind == ActivityKind.Client).ToArray();
        Assert.Equal(["Deposit", "Withdraw"], calls.Select(part => part.OperationName.Split('/')[^1]).Order());
    }

    [Fact]
    public async Task A_clients_transaction_is_part_of_what_the_client_does()
    {
        using var spans = new SpanRecorder("Polyjuice", "Microsoft.Orleans.Application");
        await Client.ServiceProvider.GetRequiredService<ITransactionClient>().RunTransaction(
            TransactionOption.Create, () => Client.GetGrain<IAccount>(3).Deposit(1));

        var whole = await spans.EndedAsync(IsWhole);
        Assert.Equal(("Client", spans.Root.TraceId), (whole.OperationName, whole.TraceId));
        var start = await spans.EndedAsync(activity => activity.SpanId == whole.ParentSpanId);
        Assert.Equal(ActivityKind.Server, start.Kind);
        Assert.Single(spans.Below(whole), part => part.OperationName == "polyjuice.attempt");
    }

    [Fact]
    public async Task A_delegate_that_declines_is_no_error()
    {
        using var spans = new SpanRecorder("Polyjuice");
        var client = _cluster!.Silos[0].ServiceProvider.GetRequiredService<ITransactionClient>();
        await client.RunTransaction(TransactionOption.Create, () => Task.FromResult(false));

        var whole = await spans.EndedAsync(IsWhole);
        Assert.Equal(spans.Root.SpanId, whole.ParentSpanId);
        Assert.Equal("declined", whole.GetTagItem("polyjuice.transaction.outcome"));
        Assert.All(spans.All, activity => Assert.Equal(ActivityStatusCode.Unset, activity.Status));
    }

    [Fact]
    public async Task A_wait_on_another_silo_than_the_transactions_own_is_part_of_the_call_there()
    {
        using var spans = new SpanRecorder("Polyjuice", "Microsoft.Orleans.Application");
        await WaitingElsewhere.RunAsync(_cluster!, spans);

        var wait = await spans.EndedAsync(activity => activity.OperationName == "polyjuice.wait");
        var call = await spans.EndedAsync(activity => activity.SpanId == wait.ParentSpanId);
        Assert.Equal(("Microsoft.Orleans.Application", ActivityKind.Server), (call.Source.Name, call.Kind));
        Assert.Equal("Client", wait.GetTagItem("polyjuice.conflict.type"));
    }

    private static bool IsWhole(Activity activity) => activity.GetTagItem("polyjuice.transaction.attempts") is not null;
}
