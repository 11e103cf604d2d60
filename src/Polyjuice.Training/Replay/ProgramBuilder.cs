using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Replay;

/// <summary>Makes programs of a trace's transactions.</summary>
internal sealed class ProgramBuilder
{
    private readonly AccessTrace _trace;
    private readonly PathOrders _orders = new();
    private readonly Dictionary<(int Type, string Path), string> _labels = [];
    private readonly Dictionary<(string Name, string Label), int> _methodNumbers = [];
    private readonly List<GrainMethod> _methods = [];
    private readonly int[] _siloOfTraceSilo;
    private readonly int[] _siloOfGrain;

    public ProgramBuilder(AccessTrace trace, int[] siloOfParticipant)
    {
        _trace = trace;
        Silos = siloOfParticipant;
        _siloOfGrain = new int[trace.Grains.Count];
        _siloOfTraceSilo = new int[trace.Silos.Count];
        Array.Fill(_siloOfTraceSilo, -1);
        for (var i = 0; i < siloOfParticipant.Length; i++)
        {
            _siloOfGrain[trace.Participants[i].Grain] = siloOfParticipant[i];
            _siloOfTraceSilo[trace.Participants[i].Silo] = siloOfParticipant[i];
        }

        // Where grains were spread anew, a recorded silo stands for nothing.
        if (!trace.Participants.Select((participant, i) => _siloOfTraceSilo[participant.Silo] == siloOfParticipant[i])
            .All(
                same => same))
            Array.Fill(_siloOfTraceSilo, -1);
        foreach (var site in trace.Sites) _labels[(site.Type, site.Key.Path)] = site.Key.Label;
        foreach (var transaction in trace.Transactions) _orders.Add(trace, transaction);
    }

    public int[] Silos { get; }

    public GrainMethod[] Methods => [.. _methods];

    /// <summary>
    /// What a transaction does; <see langword="null"/> for one that the recorded
    /// system gave up, whose last attempt is not all that it would have done.
    /// </summary>
    public ReplayProgram? Build(in TraceTransaction transaction)
    {
        var isRefused = transaction.Outcome == AbortReason.UserException;
        var accesses = _trace.AccessesOf(transaction);
        if ((!transaction.IsCommitted && !isRefused) || accesses.IsEmpty) return null;
        var first = _trace.Sites[accesses[0].Site].Key;
        var end = first.Path.IndexOf('>', StringComparison.Ordinal);
        var tree = new CallTree(_orders, transaction.Type, end < 0 ? first.Path : first.Path[..end]);
        foreach (var access in accesses)
            tree.Add(access, _trace.Sites[access.Site].Key, _trace.Participants[access.Participant].Grain);
        var root = _siloOfTraceSilo[transaction.Silo];
        if (root < 0) root = Silos[OwnOrFirst(tree.Root, accesses[0]).Participant];
        return new ReplayProgram(
            transaction.Type, transaction.IsReadOnly, isRefused, CallOf(tree, tree.Root, transaction.Type, root));
    }

    /// <summary>An access of the root's own grain, which says where that is; the first one if it has none.</summary>
    private static TraceAccess OwnOrFirst(CallTree.Node root, in TraceAccess first)
    {
        foreach (var item in root.Items)
        {
            if (item.Call is null) return item.Access;
        }

        return first;
    }

    private ReplayCall CallOf(CallTree tree, CallTree.Node node, int type, int silo)
    {
        var steps = new List<ReplayStep>();
        foreach (var together in tree.StepsOf(node))
        {
            if (together is [{ Call: null } own])
                steps.Add(
                    new ReplayStep(
                        own.Access.Participant, own.Kind == AccessKind.Update, own.Access.ComputeMicroseconds));
            else
                steps.Add(new ReplayStep(-1, false, 0, [.. together.Select(item => CallOf(item.Call!))]));
        }

        return new ReplayCall(MethodOf(type, node.Path), silo, [.. steps]);

        ReplayCall CallOf(CallTree.Node call) =>
            this.CallOf(tree, call, type, call.Grain < 0 ? silo : _siloOfGrain[call.Grain]);
    }

    private int MethodOf(int type, string path)
    {
        var name = path[(path.LastIndexOf('>') + 1)..];
        var key = (name, _labels.GetValueOrDefault((type, path), ""));
        if (_methodNumbers.TryGetValue(key, out var number)) return number;
        _methodNumbers.Add(key, _methods.Count);
        _methods.Add(new GrainMethod(name, key.Item2));
        return _methods.Count - 1;
    }
}
