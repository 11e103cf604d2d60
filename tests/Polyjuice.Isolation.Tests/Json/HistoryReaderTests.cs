using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Json;

public class HistoryReaderTests
{
    private const string Good =
        """{"index":0,"type":"invoke","process":3,"time":17,"f":"txn","value":[["append","x",-5],["r",7,null],["w","y",9]]}""";

    [Fact]
    public void An_operation_is_read_as_it_is_written()
    {
        var operation = Assert.Single(HistoryReader.ReadOperations(new StringReader(Good)));
        Assert.Equal(
            (0, OperationType.Invoke, 3, 17, "txn"),
            (operation.Index, operation.Type, operation.Process, operation.Time, operation.Function));
        Assert.Equal([MicroOp.Append("x", -5), MicroOp.Read(7), MicroOp.Write("y", 9)], operation.Value);
        var text = new StringWriter();
        new HistoryWriter(text).Write(operation);
        Assert.Equal(Good + "\n", text.ToString());
    }

    [Fact]
    public void Lists_values_and_initial_states_are_told_apart()
    {
        var operation = Assert.Single(HistoryReader.ReadOperations(new StringReader(
            """{"index":0,"type":"ok","process":0,"time":0,"f":"txn","value":[["r",1,[4,5]],["r",1,[]],["r",2,6],["r","1",null]]}""")));
        Assert.Equal(
            [MicroOp.ReadList(1, [4, 5]), MicroOp.ReadList(1, []), MicroOp.ReadValue(2, 6), MicroOp.Read("1")],
            operation.Value);
        Assert.NotEqual(new HistoryKey(1), new HistoryKey("1"));
    }

    [Theory]
    [InlineData(Keys.Lists)]
    [InlineData(Keys.BlindRegisters)]
    public void What_is_written_is_read_back(Keys kind)
    {
        for (var seed = 1; seed <= 50; seed++)
        {
            var history = SerialHistory.Of(seed, kind, 40, 5);
            var text = new StringWriter();
            var writer = new HistoryWriter(text);
            foreach (var operation in history.Operations) writer.Write(operation);
            var again = HistoryReader.Read(new StringReader(text.ToString()));
            Assert.Equal(history.Operations.Count, again.Operations.Count);
            foreach (var (one, two) in history.Operations.Zip(again.Operations))
            {
                Assert.Equal(
                    one with { Value = [] },
                    two with { Value = one.Value.Count == 0 ? [] : two.Value } with { Value = [] });
                Assert.Equal(one.Value, two.Value);
            }

            Assert.Equal(IsolationChecker.Check(history).ToString(), IsolationChecker.Check(again).ToString());
        }
    }

    [Fact]
    public void A_file_is_written_and_read_back()
    {
        var path = Path.GetTempFileName();
        try
        {
            var history = SerialHistory.Of(1, Keys.Lists);
            HistoryWriter.Write(path, history.Operations);
            Assert.Equal(
                history.Transactions.Select(t => t.ToString()),
                HistoryReader.Read(path).Transactions.Select(t => t.ToString()));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void A_failed_operation_needs_no_value_and_may_say_why()
    {
        var history = HistoryReader.Read(
            new StringReader(
                Good + "\n" +
                """{"index":1,"type":"fail","process":3,"time":18,"f":"txn","value":null,"error":["timeout",5]}"""));
        Assert.Equal(TransactionOutcome.Aborted, Assert.Single(history.Transactions).Outcome);
        Assert.Equal(3, history.Transactions[0].MicroOps.Count);
    }

    [Theory]
    [InlineData("line", "{")]
    [InlineData("line", "")]
    [InlineData("line", "[]")]
    [InlineData("line", "{} {}")]
    [InlineData("line", """{"index":1,"index":2}""")]
    [InlineData("index", """{"type":"ok","process":0,"time":0,"f":"txn","value":[]}""")]
    [InlineData("index", """{"index":-1,"type":"ok","process":0,"time":0,"f":"txn","value":[]}""")]
    [InlineData("index", """{"index":1.5,"type":"ok","process":0,"time":0,"f":"txn","value":[]}""")]
    [InlineData("type", """{"index":1,"type":"OK","process":0,"time":0,"f":"txn","value":[]}""")]
    [InlineData("type", """{"index":1,"type":7,"process":0,"time":0,"f":"txn","value":[]}""")]
    [InlineData("process", """{"index":1,"type":"ok","process":"nemesis","time":0,"f":"txn","value":[]}""")]
    [InlineData("process", """{"index":1,"type":"ok","process":3000000000,"time":0,"f":"txn","value":[]}""")]
    [InlineData("time", """{"index":1,"type":"ok","process":0,"f":"txn","value":[]}""")]
    [InlineData("f", """{"index":1,"type":"ok","process":0,"time":0,"f":"read","value":[]}""")]
    [InlineData("proces", """{"index":1,"type":"ok","proces":0,"time":0,"f":"txn","value":[]}""")]
    [InlineData("value", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":null}""")]
    [InlineData("value", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":7}""")]
    [InlineData("value[0]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["r",1]]}""")]
    [InlineData("value[1]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["r",1,2],5]}""")]
    [InlineData("value[0][0]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["cas",1,2]]}""")]
    [InlineData("value[0][0]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[[null,1,2]]}""")]
    [InlineData("value[0][1]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["r",null,2]]}""")]
    [InlineData("value[0][1]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["r",0.5,2]]}""")]
    [InlineData(
        "value[0][2]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["append",1,null]]}""")]
    [InlineData("value[0][2]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["w",1,"a"]]}""")]
    [InlineData("value[0][2]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["r",1,true]]}""")]
    [InlineData(
        "value[0][2][1]", """{"index":1,"type":"ok","process":0,"time":0,"f":"txn","value":[["r",1,[4,null]]]}""")]
    public void A_malformed_line_is_refused_by_line_and_field(string field, string line)
    {
        var refusal = Assert.Throws<HistoryException>(
            () => HistoryReader.Read(new StringReader(Good + "\n" + line + "\n")));
        Assert.Equal((2, field), (refusal.Line, refusal.Field));
        Assert.StartsWith($"Line 2, {field}: ", refusal.Message);
    }

    [Fact]
    public void Operations_that_are_no_history_are_refused_by_line_too()
    {
        var refusal = Assert.Throws<HistoryException>(
            () => HistoryReader.Read(new StringReader(Good + "\n" + Good.Replace("\"index\":0", "\"index\":8"))));
        Assert.Equal((2, "process"), (refusal.Line, refusal.Field));
    }

    [Fact]
    public void Reading_can_be_cancelled()
    {
        using var source = new CancellationTokenSource();
        source.Cancel();
        Assert.Throws<OperationCanceledException>(() => HistoryReader.Read(new StringReader(Good), source.Token));
        Assert.Throws<OperationCanceledException>(
            () => IsolationChecker.Check(Script.Concurrent("a x 1"), null, source.Token));
    }
}
