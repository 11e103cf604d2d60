using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Traces;

/// <summary>Traces of calls that nobody recorded; without accesses.</summary>
internal static class CallTraces
{
    public static IReadOnlyList<TracedMethod> Methods { get; } =
    [
        new("Account", "Bank.IAccount", "Deposit(System.Int64)"),
        new("Account", "Bank.IAccount", "Deposit(System.Int64, System.String)"),
        new("Teller", "Bank.ITeller", "Pay()")
    ];

    /// <summary>Calls of every state, one every 10 µs; arguments of 0 to 300 bytes.</summary>
    public static AccessTrace Random(int seed, int transactions = 30)
    {
        var random = new Random(seed);
        var builder = Builder();
        for (var i = 0; i < transactions; i++)
        {
            var state = (TracedCallState)random.Next((int)TracedCallState.NoCall + 1);
            var arguments = new byte[state == TracedCallState.Whole ? random.Next(300) : 0];
            random.NextBytes(arguments);
            var call = new TraceCall(state, 0, "", arguments);
            Add(
                builder,
                10 * i,
                call.IsNamed
                    ? call with { Method = random.Next(Methods.Count), GrainKey = $"é{random.Next(100)}" }
                    : call);
        }

        return builder.Build();
    }

    /// <summary>
    /// Whole calls of the first method on grain "a", at these times; the argument is the number of the call.
    /// </summary>
    public static AccessTrace At(params long[] arrivals) => At([], arrivals);

    public static AccessTrace At(IReadOnlyList<TraceWindow> windows, params long[] arrivals)
    {
        var builder = Builder();
        foreach (var window in windows) builder.AddWindow(window);
        for (var i = 0; i < arrivals.Length; i++)
            Add(builder, arrivals[i], new TraceCall(TracedCallState.Whole, 0, "a", new[] { (byte)i }));
        return builder.Build();
    }

    public static AccessTraceBuilder Builder()
    {
        var builder = new AccessTraceBuilder(1_000) { ArgumentEncoding = "test" };
        builder.AddSilo(1, "silo");
        builder.AddType("T");
        foreach (var method in Methods) builder.AddMethod(method);
        return builder;
    }

    public static void Add(AccessTraceBuilder builder, long arrival, TraceCall call) =>
        builder.AddTransaction(new TraceTransaction(0, arrival, 5, 0, 0, 1, AbortReason.None, false, 0, 0), [], call);
}
