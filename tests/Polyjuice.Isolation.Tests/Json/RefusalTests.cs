namespace Polyjuice.Isolation.Tests.Json;

/// <summary>What is said of a line or an operation that can't be: where, and what to do.</summary>
public class RefusalTests
{
    [Theory]
    [InlineData("[]", "line: is an array; write one object on each line")]
    [InlineData("{", "line: is not one JSON object: ")]
    [InlineData(
        """{"proces":0}""",
        "proces: is not a field of an operation; there are index, type, process, time, f, value and error")]
    [InlineData("""{"f":"txn"}""", "type: is missing")]
    [InlineData("""{"type":null}""", "type: is null; it must be text")]
    [InlineData("""{"type":{}}""", "type: is an object; it must be text")]
    [InlineData("""{"type":[]}""", "type: is an array; it must be text")]
    [InlineData("""{"type":7}""", "type: is 7; it must be text")]
    [InlineData("""{"type":"OK"}""", "type: is 'OK'; it must be invoke, ok, fail or info")]
    [InlineData("""{"type":"ok","f":"read"}""", "f: is 'read'; only transactions, 'txn', can be checked")]
    [InlineData("""{"type":"ok","f":"txn","index":-1}""", "index: is negative")]
    [InlineData("""{"type":"ok","f":"txn","index":1.5}""", "index: is 1.5; it must be a whole number of 64 bits")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":-1}""", "process: is -1; it must be from 0 to 2147483647")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":2147483648}""",
        "process: is 2147483648; it must be from 0 to 2147483647")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":0,"time":0,"value":7}""",
        "value: is 7; it must be an array of steps")]
    [InlineData(
        """{"type":"invoke","f":"txn","index":0,"process":0,"time":0,"value":null}""",
        "value: is null; it must be an array of steps")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":0,"time":0,"value":[["r",1]]}""",
        "value[0]: must be an array of three: what, key, value")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":0,"time":0,"value":[5]}""",
        "value[0]: must be an array of three: what, key, value")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":0,"time":0,"value":[[1,1,1]]}""",
        "value[0][0]: is 1; it must be \"append\", \"w\" or \"r\"")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":0,"time":0,"value":[["cas",1,1]]}""",
        "value[0][0]: is 'cas'; it must be append, w or r")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":0,"time":0,"value":[["r",null,1]]}""",
        "value[0][1]: is null; a key must be a whole number or text")]
    [InlineData(
        """{"type":"ok","f":"txn","index":0,"process":0,"time":0,"value":[["r",1,[4,5,"a"]]]}""",
        "value[0][2][2]: is \"a\"; it must be a whole number of 64 bits")]
    public void A_line_is_refused_with_what_is_wrong(string line, string message)
    {
        var refusal = Assert.Throws<HistoryException>(() => HistoryReader.Read(new StringReader(line)));
        Assert.StartsWith($"Line 1, {message}", refusal.Message);
        Assert.Equal(1, refusal.Line);
        Assert.Null(refusal.Index);
    }

    [Fact]
    public void An_info_and_a_fail_need_no_value_and_a_process_and_an_index_may_be_0()
    {
        foreach (var type in new[] { "info", "fail" })
        {
            var operation = Assert.Single(
                HistoryReader.ReadOperations(
                    new StringReader(
                        $$"""{"index":0,"type":"{{type}}","process":0,"time":-5,"f":"txn","value":null}""")));
            Assert.Empty(operation.Value);
            Assert.Equal((0, 0, -5), (operation.Index, operation.Process, operation.Time));
        }
    }

    [Fact]
    public void Operations_that_no_client_can_have_done_are_refused_with_what_is_wrong()
    {
        Refuses(
            "Operation 1, process: 1 is still running T0; a process runs one transaction at a time",
            b => b.Invoke(1, 0),
            b => b.Invoke(1, 0));
        Refuses("Operation 0, process: 1 completes what it never invoked", b => b.Ok(1, 0));
        Refuses(
            "Operation 1, value: has 0 steps, and its invocation at index 0 has 1",
            b => b.Invoke(1, 0, MicroOp.Read("x")),
            b => b.Ok(1, 0));
        Refuses(
            "Operation 1, value[1]: is 'append y 2', and its invocation at index 0 says 'append y 1'",
            b => b.Invoke(1, 0, MicroOp.Read("x"), MicroOp.Append("y", 1)),
            b => b.Ok(1, 0, MicroOp.Read("x"), MicroOp.Append("y", 2)));
        Refuses(
            "Operation 1, value[0]: is 'r x nil', and its invocation at index 0 says 'w x 1'",
            b => b.Invoke(1, 0, MicroOp.Write("x", 1)), b => b.Fail(1, 0, MicroOp.Read("x")));
        Refuses(
            "Operation 1, value[1]: writes 1 to x, which was written before; every write to a key needs a value of its "
            + "own, repetitions of an aborted transaction too",
            b => b.Invoke(1, 0, MicroOp.Append("x", 1)),
            b => b.Invoke(2, 0, MicroOp.Append("y", 1), MicroOp.Append("x", 1)));
        var refusal = Assert.Throws<HistoryException>(
            () => new Isolation.History([
                new Operation(3, OperationType.Invoke, 0, 0, []), new Operation(2, OperationType.Ok, 0, 0, [])
            ]));
        Assert.Equal(
            "Operation 2, index: is not above the one before, 3; number operations in the order in which they happened",
            refusal.Message);
    }

    [Fact]
    public void A_key_of_two_kinds_is_refused_where_the_second_one_was_used()
    {
        var history = new HistoryBuilder();
        history.Invoke(0, 0, MicroOp.Append("x", 1));
        history.Invoke(1, 0, MicroOp.Read("y"), MicroOp.Write("x", 2));
        history.Ok(1, 0, MicroOp.Read("y"), MicroOp.Write("x", 2));
        var refusal = Assert.Throws<HistoryException>(() => IsolationChecker.Check(history.Build()));
        Assert.Equal(
            "Operation 2, value[1]: 'w x 2' uses x as a register, and earlier it is used as a list; use two keys",
            refusal.Message);
    }

    private static void Refuses(string message, params Action<HistoryBuilder>[] steps)
    {
        var builder = new HistoryBuilder();
        foreach (var step in steps) step(builder);
        Assert.Equal(message, Assert.Throws<HistoryException>(builder.Build).Message);
    }
}
