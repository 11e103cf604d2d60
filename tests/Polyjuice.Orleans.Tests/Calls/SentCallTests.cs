using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Orleans.Serialization;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class SentCallTests : IDisposable
{
    private readonly ServiceProvider _services = new ServiceCollection().AddSerializer().BuildServiceProvider();
    private readonly SentCall _call = new(CallNumber.Next());

    public void Dispose() => _services.Dispose();

    [Fact]
    public void What_is_written_again_says_so()
    {
        var (first, second) = (Write(_call), Write(_call));
        Assert.Equal((_call.Number, false), (first.Number, first.IsCopy));
        Assert.Equal((_call.Number, true), (second.Number, second.IsCopy));

        // On its way through a gateway.
        Assert.Equal((false, true), (Write(first).IsCopy, Write(second).IsCopy));
    }

    [Fact]
    public void What_is_made_again_after_a_refusal_is_no_copy()
    {
        Write(_call);
        var again = _call.Again(
            new TransactionConflictException("1", new AbortInfo(AbortReason.OwnerChanged, "type"), null));
        Assert.Equal((_call.Number, false), (again.Number, Write(again).IsCopy));
    }

    // As Orleans makes them: a client that can't send, and a silo that passes no call on.
    [Fact]
    public void What_was_written_may_have_run_although_its_caller_has_no_connection()
    {
        var noConnection = new ConnectionFailedException("no connection");
        Assert.False(_call.MayHaveRun(noConnection));

        Write(_call);

        Assert.True(_call.MayHaveRun(noConnection));
        Assert.True(_call.MayHaveRun(Made.Rejection("Client is rejecting message: m. Reason = Retry count exceeded.")));
        Assert.False(_call.MayHaveRun(Made.Rejection("Silo is rejecting message.")));
        Assert.False(_call.MayHaveRun(new TimeoutException()));
        Assert.True(Write(_call.Again(noConnection)).IsCopy);
        Assert.True(_call.Again(noConnection).MayHaveRun(Made.Rejection("Silo is rejecting message.")));
    }

    private SentCall Write(SentCall call)
    {
        var serializer = _services.GetRequiredService<Serializer>();
        return serializer.Deserialize<SentCall>(serializer.SerializeToArray(call))!;
    }
}
