using System.Runtime.InteropServices;

namespace Polyjuice.Training.Traces;

/// <summary>Makes one trace of several of one application, of times that do not overlap.</summary>
internal sealed class TraceJoin
{
    private readonly AccessTraceBuilder _builder;
    private readonly long _start;
    private readonly Dictionary<(long, string), int> _silos = [];
    private readonly Dictionary<(string, string), int> _grains = [];
    private readonly Dictionary<(int, string), int> _participants = [];
    private readonly List<TraceAccess> _accesses = [];
    private long _until = long.MinValue;

    private TraceJoin(long start) => (_builder, _start) = (new AccessTraceBuilder(start), start);

    /// <summary>
    /// What has the same name is the same; a participant is where it was first. Grains whose keys were dropped can't be
    /// told apart by them, and are the same only within one trace. Losses are added up. Calls and states stay; those
    /// that were recorded in another way than the first are left out.
    /// </summary>
    /// <param name="traces">In the order of time; at least one.</param>
    /// <exception cref="ArgumentException">There is none, or they overlap.</exception>
    public static AccessTrace Of(IReadOnlyList<AccessTrace> traces)
    {
        if (traces.Count == 0) throw new ArgumentException("There is no trace to join.", nameof(traces));
        var join = new TraceJoin(traces[0].StartMicroseconds);
        foreach (var trace in traces) join.Add(trace);
        return join._builder.Build();
    }

    private void Add(AccessTrace trace)
    {
        var by = trace.StartMicroseconds - _start;
        if (trace.Windows.Count > 0 && trace.Windows[0].StartMicroseconds + by < _until)
            throw new ArgumentException("A trace begins before the one before it has ended.", nameof(trace));
        int[] silos =
        [
            .. trace.Silos.Select(
                silo => Number(_silos, (silo.Node, silo.Name), () => _builder.AddSilo(silo.Node, silo.Name)))
        ];
        int[] types = [.. trace.Types.Select(_builder.AddType)];
        int[] sites = [.. trace.Sites.Select(site => _builder.AddSite(site.Key))];
        int[] grains =
        [
            .. trace.Grains.Select(
                grain => grain.Key.Length == 0
                    ? _builder.AddGrain(grain.Class)
                    : Number(_grains, (grain.Class, grain.Key), () => _builder.AddGrain(grain.Class, grain.Key)))
        ];
        int[] participants =
        [
            .. trace.Participants.Select(
                one => Number(
                    _participants,
                    (grains[one.Grain], one.State),
                    () => _builder.AddParticipant(grains[one.Grain], one.State, silos[one.Silo])))
        ];
        var keepsCalls = KeepsCalls(trace);
        int[] methods = keepsCalls ? [.. trace.Methods.Select(_builder.AddMethod)] : [];
        foreach (var window in trace.Windows)
            _builder.AddWindow(new TraceWindow(window.StartMicroseconds + by, _until = window.EndMicroseconds + by));
        var (before, own) = (_builder.Losses, trace.Losses);
        _builder.Losses = new TraceLosses(
            before.Windows + own.Windows, before.Records + own.Records, before.Transactions + own.Transactions);
        for (var i = 0; i < trace.Transactions.Length; i++)
        {
            ref readonly var transaction = ref trace.Transactions[i];
            var call = keepsCalls ? trace.Calls[i] : default;
            _accesses.Clear();
            foreach (ref readonly var access in trace.AccessesOf(transaction))
                _accesses.Add(
                    access with { Site = sites[access.Site], Participant = participants[access.Participant] });
            _builder.AddTransaction(
                transaction with
                {
                    Type = types[transaction.Type],
                    Silo = silos[transaction.Silo],
                    ArrivalMicroseconds = transaction.ArrivalMicroseconds + by,
                },
                CollectionsMarshal.AsSpan(_accesses),
                call.IsNamed ? call with { Method = methods[call.Method] } : call);
        }

        AddStates(trace, participants, by);
    }

    private bool KeepsCalls(AccessTrace trace)
    {
        if (trace.ArgumentEncoding.Length == 0) return false;
        if (_builder.ArgumentEncoding.Length == 0) _builder.ArgumentEncoding = trace.ArgumentEncoding;
        return _builder.ArgumentEncoding == trace.ArgumentEncoding;
    }

    private void AddStates(AccessTrace trace, int[] participants, long by)
    {
        if (trace.States.IsEmpty) return;
        if (_builder.StatePeriodMicroseconds == 0) _builder.StatePeriodMicroseconds = trace.StatePeriodMicroseconds;
        if (_builder.StatePeriodMicroseconds != trace.StatePeriodMicroseconds) return;
        foreach (ref readonly var state in trace.States)
            _builder.AddState(
                state with
                {
                    Participant = participants[state.Participant], AtMicroseconds = state.AtMicroseconds + by
                });
    }

    private static int Number<T>(Dictionary<T, int> numbers, T key, Func<int> add)
        where T : notnull
    {
        if (!numbers.TryGetValue(key, out var number)) numbers.Add(key, number = add());
        return number;
    }
}
