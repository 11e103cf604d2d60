using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class TraceInfoCommandTests : IDisposable
{
    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task States_that_were_never_written_are_known_and_others_that_are_not_there_are_counted_as_lost()
    {
        var builder = new AccessTraceBuilder(0) { ArgumentEncoding = "test", StatePeriodMicroseconds = 2_500_000 };
        var (silo, grain) = (builder.AddSilo(1), builder.AddGrain("Account", "account/1"));
        var method = builder.AddMethod(new TracedMethod("account", "IAccount", "Pay()"));
        var call = new TraceCall(TracedCallState.Whole, method, "1", default);
        builder.AddTransaction(
            new TraceTransaction(builder.AddType("Pay"), 10, 5, 0, silo, 1, AbortReason.None, false, 0, 0), [], call);
        foreach (var kind in Enum.GetValues<TracedStateKind>())
        {
            var state = builder.AddParticipant(grain, $"Account.{kind}", silo);
            builder.AddState(new TraceState(state, 1, kind, "c", new byte[kind == TracedStateKind.Whole ? 7 : 0]));
        }

        var file = _tool.PathOf("merged.pjtrace");
        await TraceFile.WriteAsync(builder.Build(), file);

        var answer = await _tool.RunAsync("trace", "info", file);

        Assert.Equal((ExitCodes.Done, ""), (answer.ExitCode, answer.Error));
        Assert.Contains("states: 2 with 7 bytes, as of every 2.5 s", answer.Output, StringComparison.Ordinal);
        Assert.Contains("not there: 3 states", answer.Output, StringComparison.Ordinal);
    }
}
