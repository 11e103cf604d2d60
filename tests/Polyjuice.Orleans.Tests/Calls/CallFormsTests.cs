using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Metadata;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>Silos that say no more of themselves than those of 0.1.0.</summary>
public sealed class CallFormsTests : IAsyncLifetime
{
    private const int Accounts = 8;

    private readonly Filter _filter = new();
    private InProcessTestCluster? _cluster;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        2,
        silo =>
        {
            silo.Services.Remove(silo.Services.Single(
                static service => service.ServiceType == typeof(IGrainPropertiesProvider)
                    && service.ImplementationType == typeof(EngineCount)));
            silo.AddIncomingGrainCallFilter(_filter);
        },
        client => client.UsePolyjuice());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Fact]
    public async Task What_goes_along_with_a_call_is_where_0_1_0_looks_for_it()
    {
        Assert.False(_cluster!.GetSiloServiceProvider().GetRequiredService<CallForms>().AreNew);
        Assert.False(_cluster.Client.ServiceProvider.GetRequiredService<CallForms>().AreNew);
        var kinds = new System.Collections.Concurrent.ConcurrentQueue<object?>();
        _filter.On(nameof(IAccount.Deposit), context =>
        {
            var call = (TransactionCall)context.Request;
            Assert.Equal((null, null), (call.Sent, call.Token));
            kinds.Enqueue(RequestContext.Get(SentCall.Name) ?? RequestContext.Get(CallToken.Name));
            return context.Invoke();
        });

        // Some of them are on the other silo than the teller.
        for (var key = 0; key < Accounts; key++) await _cluster.Client.GetGrain<IAccount>(key).Deposit(10);
        for (var key = 1; key < Accounts; key++) await _cluster.Client.GetGrain<ITeller>(0).Transfer(0, key, 1);

        Assert.Equal(Accounts, kinds.Count(static kind => kind is SentCall));
        Assert.Equal(Accounts - 1, kinds.Count(static kind => kind is CallToken));
        _filter.Clear();
        Assert.Equal(10 - (Accounts - 1), await _cluster.Client.GetGrain<IAccount>(0).GetBalance());
        Assert.Equal(11, await _cluster.Client.GetGrain<IAccount>(1).GetBalance());
    }
}
