using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests;

public sealed class GrainCodeTests(TwoSilos fixture) : IClassFixture<TwoSilos>
{
    private static long s_last;

    [Fact]
    public async Task Calls_in_parallel_belong_to_one_transaction()
    {
        var root = Note();
        long[] others = [.. Enumerable.Range(0, 8).Select(_ => Interlocked.Increment(ref s_last))];
        await root.WriteToAll([.. others], "hello");
        foreach (var other in others) Assert.Equal(["hello"], await Note(other).Read());
        Assert.Equal(["hello"], await root.Read());
    }

    [Fact]
    public async Task A_call_that_nobody_awaits_aborts_the_transaction()
    {
        var root = Note();
        var other = Interlocked.Increment(ref s_last);
        await Assert.ThrowsAsync<OrleansOrphanCallException>(() => root.WriteAndForget(other, "lost"));
        Assert.Empty(await root.Read());
        Assert.Empty(await Note(other).Read());
    }

    [Fact]
    public async Task A_read_only_transaction_cannot_update()
    {
        var note = Note();
        await Assert.ThrowsAsync<OrleansReadOnlyViolatedException>(() => note.WriteReadOnly("no"));
        Assert.Empty(await note.Read());
    }

    [Fact]
    public async Task An_access_within_another_is_refused()
    {
        var exception = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => Note().Nest());
        Assert.IsType<LockRecursionException>(exception.InnerException);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_asynchronous_function_is_refused_before_it_runs_and_holds_nobody_up(bool reads)
    {
        var note = Note();
        var exception = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => note.WriteLater("lost", reads));
        Assert.Contains(
            "is asynchronous",
            Assert.IsType<ArgumentException>(exception.InnerException).Message,
            StringComparison.Ordinal);
        await note.Write("kept");
        Assert.Equal(["kept"], await note.Read());
    }

    [Fact]
    public async Task A_body_that_ends_as_cancelled_aborts()
    {
        var note = Note();
        var exception = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => note.WriteAndCancel("lost"));
        Assert.IsType<OperationCanceledException>(exception.InnerException);
        Assert.Empty(await note.Read());
    }

    [Fact]
    public async Task What_a_function_begins_goes_on_as_the_grains_other_code_does()
    {
        var note = Note();
        Assert.Null(await note.WriteAndGoOn("kept"));
        Assert.Equal(["kept"], await note.Read());
    }

    [Fact]
    public async Task What_leaks_out_of_an_update_cannot_change_the_state()
    {
        var note = Note();
        Assert.True(await note.LeakAndChange());
        Assert.Equal(["kept"], await note.Read());
    }

    [Fact]
    public async Task A_state_cannot_be_accessed_outside_of_a_transaction() =>
        await Assert.ThrowsAsync<OrleansTransactionException>(() => Note().WriteOutside("no"));

    [Fact]
    public async Task A_method_without_a_transaction_and_a_timer_start_transactions_over_their_grains_states()
    {
        var note = Note();
        await note.WriteInItsOwn("by itself");
        await note.WriteByTimer("by a timer");
        Assert.Equal(["by itself", "by a timer"], await note.Read());
    }

    private INote Note(long? key = null) =>
        fixture.Cluster.Client.GetGrain<INote>(key ?? Interlocked.Increment(ref s_last));
}
