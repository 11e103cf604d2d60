using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>Calls begin, accesses are served, and versions are made (R1a, R1c, D1).</summary>
internal static class Access
{
    /// <summary>A clock is believed, and an agent's oldest live attempt is heard of.</summary>
    public static void Hear(SpecificationState state, in ClockHeard e)
    {
        R2Clocks.Check(e);
        var known = state.Node(e.Node).OldestLive;
        if (e.OldestLive > known.GetValueOrDefault(e.From)) known[e.From] = e.OldestLive;
    }

    /// <summary>A call begins to run.</summary>
    public static void Enter(SpecificationState state, in CallEntered e)
    {
        var node = state.Node(e.Node);
        R1cOnce.Check(node, e);
        node.Calls.Add((e.Id, e.Caller, e.CallId));
    }

    /// <summary>An access is served.</summary>
    public static void Serve(SpecificationState state, in AccessServed e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        R1cOnce.Check(state, owner, owner.Find(e.Id), e);
        var branch = owner.GetOrAdd(e.Id);
        branch.Served[e.Key] = branch.Served.GetValueOrDefault(e.Key) + 1;
        var transaction = state.Transaction(e.Id);
        transaction.HasAccessed = true;
        transaction.Served.Add((e.Number, e.Key));
    }

    /// <summary>A validation finds that an access can't commit: it and what came after it must be made anew.</summary>
    public static void Refute(SpecificationState state, in AccessRefuted e)
    {
        var from = e.Number;
        state.Transaction(e.Id).Served.RemoveWhere(access => access.Number >= from);
    }

    /// <summary>A body that runs again gets what it has got before.</summary>
    public static void ServeAgain(SpecificationState state, in AccessServedAgain e) =>
        Resumption.Check(state.Transaction(e.Id), e);

    /// <summary>A version is made.</summary>
    public static void Write(SpecificationState state, in VersionWritten e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        R1aIdentity.Check(owner, e);
        owner.Made.Add(e.Version);
    }

    /// <summary>A declared read-only transaction reads.</summary>
    public static void ReadSnapshot(SpecificationState state, in SnapshotServed e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        L4Ceiling.Check(owner, e);
        D1Snapshots.Check(owner, e);
        var chain = owner.ChainOf(e.Key);
        var version = chain[chain.IndexOf(e.Version)];
        version.ReadTimestamp = Math.Max(version.ReadTimestamp, e.Timestamp);
    }
}
