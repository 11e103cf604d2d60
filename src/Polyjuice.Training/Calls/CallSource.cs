using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Calls;

/// <summary>
/// Hands out a trace's calls, one after the other, to whoever comes. Thread-safe but for <see cref="Restart"/>.
/// </summary>
internal sealed class CallSource
{
    private readonly AccessTrace _trace;
    private readonly ICallableMethod?[] _methods;

    /// <summary>What is wrong with a method, where something is.</summary>
    private readonly string?[] _problems;
    private int _next;

    public CallSource(AccessTrace trace, ICallTarget target, int callsMax)
    {
        _trace = trace;
        Count = Math.Min(trace.Transactions.Length, callsMax);
        _methods = new ICallableMethod?[trace.Methods.Count];
        _problems = new string?[_methods.Length];
        for (var i = 0; i < _methods.Length; i++)
        {
            try
            {
                _methods[i] = target.Find(trace.Methods[i]);
            }
            catch (CallUnknownException exception)
            {
                _problems[i] = exception.Message;
            }
        }
    }

    /// <summary>Transactions of the trace that are to be made.</summary>
    public int Count { get; }

    /// <summary>Begins again.</summary>
    public void Restart() => _next = 0;

    /// <summary>The next call that can be made; those before it that can't are told to the meter.</summary>
    public bool TryTake(CallMeter meter, out Call call)
    {
        while (true)
        {
            var number = Interlocked.Increment(ref _next) - 1;
            if (number >= Count)
            {
                call = default;
                return false;
            }

            var recorded = _trace.Calls[number];
            var problem = ProblemOf(recorded);
            if (problem is null)
            {
                try
                {
                    call = new Call(number, _methods[recorded.Method]!.Prepare(recorded.GrainKey, recorded.Arguments));
                    return true;
                }
                catch (CallUnknownException exception)
                {
                    problem = exception.Message;
                }
            }

            meter.NotMade(recorded.IsNamed
                ? $"{_trace.Methods[recorded.Method]}: {problem}"
                : $"{_trace.Types[_trace.Transactions[number].Type]}: {problem}");
        }
    }

    private string? ProblemOf(in TraceCall call) => call.State switch
    {
        TracedCallState.Whole => _problems[call.Method],
        TracedCallState.TooLarge =>
            "its arguments were larger than "
            + $"{nameof(TraceRecorderOptions)}.{nameof(TraceRecorderOptions.ArgumentBytesMax)}, and were not recorded",
        TracedCallState.NotEncodable => "its arguments could not be serialised, and were not recorded",
        TracedCallState.NoCall => "it was no grain call, but code that a client ran in a transaction",
        _ => "its call was not recorded",
    };

    /// <summary>A call.</summary>
    /// <param name="Transaction">Its place in the trace.</param>
    /// <param name="MakeAsync">Makes it.</param>
    public readonly record struct Call(int Transaction, Func<Task<CallEnd>> MakeAsync);
}
