using Tpcc.Grains;

namespace Tpcc.Tests.Grains;

public class RefusalsTests
{
    [Fact]
    public async Task A_refusal_is_thrown_whatever_else_failed_because_of_it()
    {
        var aborted = Task.FromException<int>(new TimeoutException("The transaction has aborted."));
        var refused = Task.FromException<int>(new InvalidItemException());
        await Assert.ThrowsAsync<InvalidItemException>(() => Refusals.WhenAll(aborted, refused, Task.FromResult(1)));
        await Assert.ThrowsAsync<InvalidItemException>(() => Refusals.WhenAll(refused, aborted));
    }

    [Fact]
    public async Task Without_a_refusal_the_first_failure_is_thrown()
    {
        var first = Task.FromException(new TimeoutException());
        await Assert.ThrowsAsync<TimeoutException>(
            () => Refusals.WhenAll(Task.CompletedTask, first, Task.FromException(new InvalidOperationException())));
        await Refusals.WhenAll(Task.CompletedTask);
    }
}
