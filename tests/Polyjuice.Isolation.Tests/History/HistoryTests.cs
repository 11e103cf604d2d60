using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Histories;

public class HistoryTests
{
    [Fact]
    public void A_completion_belongs_to_its_processes_invocation()
    {
        var history = new Script().Invoke(4, "a x 1").Invoke(7, "r x []").Ok(7).Fail(4).Invoke(4, "a x 2").Info(4)
            .Invoke(7, "a x 3").Build();
        Assert.Equal([4, 7, 4, 7], history.Transactions.Select(t => t.Process));
        Assert.Equal([0, 1, 4, 6], history.Transactions.Select(t => t.InvokeIndex));
        Assert.Equal([3, 2, 5, null], history.Transactions.Select(t => t.CompleteIndex));
        Assert.Equal(
            [
                TransactionOutcome.Aborted, TransactionOutcome.Committed, TransactionOutcome.Unknown,
                TransactionOutcome.Unknown
            ],
            history.Transactions.Select(t => t.Outcome));
    }

    [Fact]
    public void A_process_runs_one_transaction_at_a_time() =>
        Refuses(
            "process",
            new HistoryBuilder(),
            b => b.Invoke(1, 0, MicroOp.Read("x")),
            b => b.Invoke(1, 0, MicroOp.Read("x")));

    [Fact]
    public void What_was_never_invoked_does_not_complete() =>
        Refuses("process", new HistoryBuilder(), b => b.Ok(1, 0, MicroOp.Read("x")));

    [Fact]
    public void A_completion_has_the_steps_of_its_invocation()
    {
        Refuses("value", new HistoryBuilder(), b => b.Invoke(1, 0, MicroOp.Read("x")), b => b.Ok(1, 0));
        Refuses(
            "value[0]",
            new HistoryBuilder(),
            b => b.Invoke(1, 0, MicroOp.Read("x")),
            b => b.Ok(1, 0, MicroOp.Read("y")));
        Refuses(
            "value[0]",
            new HistoryBuilder(),
            b => b.Invoke(1, 0, MicroOp.Append("x", 1)),
            b => b.Ok(1, 0, MicroOp.Append("x", 2)));
    }

    [Fact]
    public void A_value_is_written_to_a_key_once_even_if_it_was_aborted()
    {
        Refuses("value[1]", new HistoryBuilder(), b => b.Invoke(1, 0, MicroOp.Append("x", 1), MicroOp.Append("x", 1)));
        Refuses(
            "value[0]",
            new HistoryBuilder(),
            b => b.Invoke(1, 0, MicroOp.Append("x", 1)),
            b => b.Fail(1, 0),
            b => b.Invoke(1, 0, MicroOp.Append("x", 1)));
    }

    [Fact]
    public void Indices_grow()
    {
        Operation[] operations = [new(3, OperationType.Invoke, 0, 0, []), new(3, OperationType.Ok, 0, 0, [])];
        Assert.Equal("index", Assert.Throws<HistoryException>(() => new Isolation.History(operations)).Field);
    }

    private static void Refuses(string field, HistoryBuilder builder, params Action<HistoryBuilder>[] steps)
    {
        foreach (var step in steps) step(builder);
        var refusal = Assert.Throws<HistoryException>(builder.Build);
        Assert.Equal(field, refusal.Field);
        Assert.Equal(builder.Count - 1, refusal.Index);
    }
}
