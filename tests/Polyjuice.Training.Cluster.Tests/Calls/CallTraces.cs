using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Tests.Calls;

/// <summary>Traces of calls that nobody recorded; without accesses.</summary>
internal static class CallTraces
{
    /// <summary>One call in each microsecond of each window.</summary>
    public static AccessTrace Of(params TraceWindow[] windows) =>
        WithOutcomes(
            windows,
            [.. windows.SelectMany(static window => Times(window).Select(static at => (at, AbortReason.None)))]);

    /// <summary>Calls that ended as they did.</summary>
    public static AccessTrace WithOutcomes(
        IReadOnlyList<TraceWindow> windows, IReadOnlyList<(long Arrival, AbortReason Outcome)> calls)
    {
        var builder = new AccessTraceBuilder(1_000) { ArgumentEncoding = "test" };
        builder.AddSilo(1, "silo");
        builder.AddType("T");
        builder.AddMethod(new TracedMethod("Account", "Bank.IAccount", "Deposit(System.Int64)"));
        foreach (var window in windows) builder.AddWindow(window);
        foreach (var (arrival, outcome) in calls)
        {
            builder.AddTransaction(
                new TraceTransaction(0, arrival, 5, 0, 0, 1, outcome, false, 0, 0), [],
                new TraceCall(TracedCallState.Whole, 0, "a", new byte[] { 1 }));
        }

        return builder.Build();
    }

    private static IEnumerable<long> Times(TraceWindow window)
    {
        for (var at = window.StartMicroseconds; at < window.EndMicroseconds; at++) yield return at;
    }
}
