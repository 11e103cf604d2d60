using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>Calls of transactional methods on the wire. The client here knows nothing of this engine.</summary>
public sealed class CallCodecsTests : IAsyncLifetime
{
    private readonly Catch _catch = new();
    private InProcessTestCluster? _cluster;

    public async Task InitializeAsync() =>
        _cluster = await PolyjuiceCluster.StartAsync(
            2, configureClient: client => client.AddOutgoingGrainCallFilter(_catch));

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Fact]
    public async Task A_silo_takes_over_what_it_reads_and_writes_what_it_has_read()
    {
        await _cluster!.Client.GetGrain<IAccount>(1).Deposit(5);
        await _cluster.Client.GetGrain<IBox<string>>(1).Put("one");
        await _cluster.Client.GetGrain<IBox<string>>(1).Take(2);
        var silo = _cluster.GetSiloServiceProvider().GetRequiredService<Serializer>();
        var client = _cluster.Client.ServiceProvider.GetRequiredService<Serializer>();

        Assert.Equal(3, _catch.Requests.Count);
        foreach (var request in _catch.Requests)
        {
            var bytes = client.SerializeToArray<object>(request);
            var call = Assert.IsType<TransactionCall>(silo.Deserialize<object>(bytes));
            Assert.IsType(request.GetType(), call.Request);
            Assert.Equal(bytes, silo.SerializeToArray<object>(call));
            Assert.Equal(bytes, silo.SerializeToArray<object>(call.Request));
            Assert.IsType(request.GetType(), client.Deserialize<object>(bytes));
        }
    }

    [Fact]
    public async Task A_request_that_nobody_has_taken_over_fails_and_runs_nothing()
    {
        await _cluster!.Client.GetGrain<IAccount>(2).Deposit(5);
        var bytes = _cluster.Client.ServiceProvider.GetRequiredService<Serializer>()
            .SerializeToArray<object>(Assert.Single(_catch.Requests));
        var call = Assert.IsType<TransactionCall>(_cluster.GetSiloServiceProvider().GetRequiredService<Serializer>()
            .Deserialize<object>(bytes));

        var response = await call.Request.Invoke();

        var failure = Assert.IsType<OrleansStartTransactionFailedException>(response.Exception);
        Assert.Contains("UsePolyjuice()", failure.InnerException?.Message, StringComparison.Ordinal);
        Assert.Equal(5, await _cluster.Client.GetGrain<IAccount>(2).GetBalance());
    }

    [Fact]
    public async Task A_call_stands_for_its_request()
    {
        await _cluster!.Client.GetGrain<IPatient>(1).DepositAndWait(7, new CancellationToken(canceled: true))
            .ContinueWith(static _ => { }, TaskScheduler.Default);
        var request = (TransactionRequestBase)Assert.Single(_catch.Requests);
        var silo = _cluster.GetSiloServiceProvider();
        var call = silo.GetRequiredService<TransactionCalls>().Of(request);

        Assert.Same(request, call.Request);
        Assert.Same(call, silo.GetRequiredService<TransactionCalls>().Of(call));
        Assert.Equal(
            (request.GetMethod(), request.GetMethodName(), request.GetInterfaceType(), request.GetInterfaceName(),
                request.GetActivityName(), request.GetArgumentCount(), request.GetArgument(
                    0), request.GetDefaultResponseTimeout()),
            (call.GetMethod(), call.GetMethodName(), call.GetInterfaceType(), call.GetInterfaceName(),
                call.GetActivityName(), call.GetArgumentCount(), call.GetArgument(
                    0), call.GetDefaultResponseTimeout()));
        Assert.Equal(
            (request.TransactionOption, request.UseExclusiveLock, request.Options, request.IsCancellable,
                request.GetCancellationToken(), request.ToString()),
            (call.TransactionOption, call.UseExclusiveLock, call.Options, call.IsCancellable,
                call.GetCancellationToken(), call.ToString()));
    }

    [Fact]
    public async Task Calls_of_generic_methods_of_generic_grains_run_in_transactions()
    {
        // Some of them are on the other silo than the one that the client is connected to.
        for (var key = 0; key < 4; key++)
        {
            var box = _cluster!.Client.GetGrain<IBox<string>>(key);
            await box.Put($"content {key}");
            Assert.Equal(($"content {key}", key), await box.Take(key));
        }
    }

    private sealed class Catch : IOutgoingGrainCallFilter
    {
        public List<IInvokable> Requests { get; } = [];

        public Task Invoke(IOutgoingGrainCallContext context)
        {
            if (context.Request is TransactionRequestBase request) Requests.Add(request);
            return context.Invoke();
        }
    }
}
