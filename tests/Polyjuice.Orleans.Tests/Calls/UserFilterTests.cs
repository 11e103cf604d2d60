using System.Collections.Concurrent;
using Orleans;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>
/// Filters that an application has for its calls: where they stand, what they see, what they can change.
/// </summary>
public sealed class UserFilterTests : IAsyncLifetime
{
    private readonly Watch _first = new("first");
    private readonly Watch _second = new("second");
    private InProcessTestCluster? _cluster;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        1,
        silo => silo.AddIncomingGrainCallFilter(_first).AddIncomingGrainCallFilter(_second)
            .AddOutgoingGrainCallFilter(_first).AddOutgoingGrainCallFilter(_second));

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Fact]
    public async Task Incoming_filters_run_once_for_each_call_and_around_all_attempts_of_its_transaction()
    {
        const long Key = 1;
        var account = _cluster!.Client.GetGrain<IAccount>(Key);
        await account.Deposit(10);
        var call = _cluster.Client.GetGrain<IWatched>(Key).Double(Key);
        await WatchedGrain.Reached(Key);

        // What the first attempt has read is out of date now.
        await account.Deposit(5);
        WatchedGrain.Release(Key);

        Assert.Equal(30, await call);
        Assert.Equal(30, await account.GetBalance());
        Assert.Equal(
            ["first", "second", "grain's", "body", "body", "grain's, after", "second, after", "first, after"],
            WatchedGrain.Events(Key));
    }

    [Fact]
    public async Task They_see_the_call_as_Orleans_shows_it()
    {
        const long Key = 2;
        WatchedGrain.Release(Key);
        IIncomingGrainCallContext? seen = null;
        _second.OnIncoming = async context =>
        {
            await context.Invoke();
            seen = context;
        };

        await _cluster!.Client.GetGrain<IWatched>(Key).Double(Key);

        Assert.NotNull(seen);
        Assert.Equal(nameof(IWatched.Double), seen.MethodName);
        Assert.Equal(typeof(IWatched).GetMethod(nameof(IWatched.Double)), seen.InterfaceMethod);
        Assert.Equal(0, seen.Result);
    }

    [Fact]
    public async Task They_see_request_method_and_arguments()
    {
        const long Key = 3;
        WatchedGrain.Release(Key);
        var seen = new List<object?>();
        _first.OnIncoming = context =>
        {
            seen.AddRange([
                context.ImplementationMethod.DeclaringType,
                (context.Request as TransactionRequestBase)?.TransactionOption,
                context.Request.GetArgumentCount(),
                context.Request.GetArgument(0)
            ]);
            return context.Invoke();
        };

        await _cluster!.Client.GetGrain<IWatched>(Key).Double(77);

        Assert.Equal([typeof(WatchedGrain), TransactionOption.Create, 1, 77L], seen);
    }

    [Fact]
    public async Task They_may_change_arguments_and_results()
    {
        const long Key = 4;
        WatchedGrain.Release(Key);
        await _cluster!.Client.GetGrain<IAccount>(Key).Deposit(10);
        _first.OnIncoming = async context =>
        {
            context.Request.SetArgument(0, Key);
            await context.Invoke();
            context.Result = (int)context.Result! + 1;
        };

        Assert.Equal(21, await _cluster.Client.GetGrain<IWatched>(Key).Double(1_000));
        Assert.Equal(20, await _cluster.Client.GetGrain<IAccount>(Key).GetBalance());
    }

    [Fact]
    public async Task One_that_throws_keeps_the_call_from_running()
    {
        const long Key = 5;
        _second.OnIncoming = static _ => throw new UnauthorizedAccessException("Not you.");

        await Assert.ThrowsAsync<UnauthorizedAccessException>(
            () => _cluster!.Client.GetGrain<IWatched>(Key).Double(Key));

        Assert.Equal(["first", "second"], WatchedGrain.Events(Key));
    }

    [Fact]
    public async Task Outgoing_filters_run_once_for_each_call_and_in_order()
    {
        const long Key = 6;
        WatchedGrain.Release(Key);
        var seen = new ConcurrentQueue<string>();
        _first.OnOutgoing = _second.OnOutgoing = (name, context) =>
        {
            if (context.Request is TransactionRequestBase request)
                seen.Enqueue($"{name}: {context.MethodName} {request.TransactionOption} to {context.TargetId}");
            return context.Invoke();
        };

        await _cluster!.Client.GetGrain<IWatched>(Key).Double(Key);

        Assert.Equal(
            [
                .. from method in (string[])[nameof(IAccount.GetBalance), nameof(IAccount.Deposit)]
                   from name in (string[])["first", "second"]
                   select $"{name}: {method} {TransactionOption.CreateOrJoin} to account/{Key}"
            ],
            seen);
    }

    private sealed class Watch(string name) : IIncomingGrainCallFilter, IOutgoingGrainCallFilter
    {
        public Func<IIncomingGrainCallContext, Task> OnIncoming { get; set; } = static context => context.Invoke();

        public Func<string, IOutgoingGrainCallContext, Task> OnOutgoing { get; set; } = static (_, context) =>
            context.Invoke();

        public async Task Invoke(IIncomingGrainCallContext context)
        {
            if (context.Grain is not WatchedGrain grain)
            {
                await context.Invoke();
                return;
            }

            var events = WatchedGrain.Events(grain.GetPrimaryKeyLong());
            events.Enqueue(name);
            await OnIncoming(context);
            events.Enqueue(name + ", after");
        }

        public Task Invoke(IOutgoingGrainCallContext context) => OnOutgoing(name, context);
    }
}
