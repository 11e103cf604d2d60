using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Idempotency;

/// <summary>The runtime makes a call with a key again of which nobody knows whether it has committed.</summary>
public sealed class RepeatedCallTests : IAsyncLifetime
{
    private readonly LostAnswers _lost = new();
    private global::Orleans.TestingHost.InProcessTestCluster? _cluster;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        1, silo => silo.AddIncomingGrainCallFilter(_lost), client => client.UsePolyjuice());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_call_in_doubt_is_made_again_if_it_has_a_key(bool isInDoubt)
    {
        var till = _cluster!.Client.GetGrain<ITill>(isInDoubt ? 30_001 : 30_002);
        _lost.Next(
            isInDoubt ? new OrleansTransactionInDoubtException("1") : new SiloUnavailableException("It has died."));

        using (IdempotencyKey.Use("key")) Assert.Equal(5, await till.Pay(5));

        Assert.Equal((2, 5), (_lost.Calls, await till.Total()));
    }

    [Fact]
    public async Task Without_a_key_it_is_not()
    {
        const long Key = 30_003;
        var till = _cluster!.Client.GetGrain<ITill>(Key);
        _lost.Next(new OrleansTransactionInDoubtException("1"));

        await Assert.ThrowsAsync<OrleansTransactionInDoubtException>(() => till.Pay(5));

        Assert.Equal((1, 5), (_lost.Calls, await till.Total()));
    }

    // As with a message that is written again because its connection broke.
    [Fact]
    public async Task A_call_that_arrives_twice_is_answered_twice()
    {
        const long Key = 30_004;
        var till = _cluster!.Client.GetGrain<ITill>(Key);
        _lost.RunTwice();

        using (IdempotencyKey.Use("key")) Assert.Equal(5, await till.Pay(5));

        Assert.Equal((5, 1), (await till.Total(), TillGrain.RunsOf(Key)));
    }

    /// <summary>Loses answers of calls that have committed.</summary>
    private sealed class LostAnswers : IIncomingGrainCallFilter
    {
        private readonly Queue<Exception> _next = [];
        private bool _runsTwice;

        public int Calls { get; private set; }

        public void Next(Exception exception)
        {
            Calls = 0;
            _next.Enqueue(exception);
        }

        public void RunTwice() => _runsTwice = true;

        public async Task Invoke(IIncomingGrainCallContext context)
        {
            await context.Invoke();
            if (context.MethodName != nameof(ITill.Pay)) return;
            Calls++;
            if (_runsTwice) await context.Invoke();
            if (_next.TryDequeue(out var exception)) throw exception;
        }
    }
}
