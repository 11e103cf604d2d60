using Polyjuice.Contracts;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Tests.Calls;

/// <summary>A target whose calls end as a test says, and that writes down what was called.</summary>
/// <param name="end">Says how a call ends: its argument, and how often it was made before.</param>
internal sealed class FakeTarget(Func<byte, int, Task<CallEnd>> end) : ICallTarget
{
    private readonly Lock _gate = new();
    private readonly List<byte> _made = [];
    private int _underWay;

    public string ArgumentEncoding { get; init; } = "test";

    /// <summary>Methods that it does not know.</summary>
    public IReadOnlyList<TracedMethod> Unknown { get; init; } = [];

    public int UnderWayMost { get; private set; }

    public IReadOnlyList<byte> Made
    {
        get
        {
            lock (_gate) return [.. _made];
        }
    }

    public static FakeTarget Committing() => new((_, _) => Task.FromResult(new CallEnd(CallOutcome.Committed)));

    public ICallableMethod Find(TracedMethod method) =>
        Unknown.Contains(method) ? throw new CallUnknownException("it is gone") : new Method(this);

    private async Task<CallEnd> MakeAsync(byte argument)
    {
        int before;
        lock (_gate)
        {
            before = _made.Count(made => made == argument);
            _made.Add(argument);
            UnderWayMost = Math.Max(UnderWayMost, ++_underWay);
        }

        var result = await end(argument, before);
        lock (_gate) _underWay--;
        return result;
    }

    private sealed class Method(FakeTarget target) : ICallableMethod
    {
        public Func<Task<CallEnd>> Prepare(string grainKey, ReadOnlyMemory<byte> arguments)
        {
            if (arguments.Length != 1) throw new CallUnknownException("its arguments can't be read");
            var argument = arguments.Span[0];
            return () => target.MakeAsync(argument);
        }
    }
}
