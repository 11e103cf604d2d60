using Polyjuice.Commit;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Faults;

/// <summary>
/// Strikes at steps of the commit protocol rather than at any event: a run draws a few, each after so many messages of a kind were handled, or records of a
/// kind written, and before anybody hears of it. What lies between two rare steps is seldom hit otherwise.
/// </summary>
internal sealed class AimedStrikes
{
    private const int OccurrenceMax = 4;

    private static readonly MessageKind[] Messages =
    [
        MessageKind.Prepare, MessageKind.PrepareReply, MessageKind.AbortRequest, MessageKind.Query, MessageKind.Outcome, MessageKind.AgentOutcome, MessageKind.Vote,
        MessageKind.Acknowledge, MessageKind.DependencyQuery, MessageKind.DependencyAnswer, MessageKind.VoteQuery,
    ];

    private static readonly LogRecordKind[] Records =
    [
        LogRecordKind.Fence, LogRecordKind.Ceiling, LogRecordKind.Prepare, LogRecordKind.Commit, LogRecordKind.Resolved, LogRecordKind.Outcome, LogRecordKind.Forget, LogRecordKind.Staged,
    ];

    private readonly List<Aim> _aims = [];
    private readonly Action<FaultKinds, SimulatedNode, int> _strike;

    /// <summary>Draws what to strike at.</summary>
    /// <param name="profile">How many, and with what.</param>
    /// <param name="random">A stream of its own.</param>
    /// <param name="strike">Does it: which fault, to which node, and about which partition, or -1.</param>
    public AimedStrikes(FaultProfile profile, SimulationRandom random, Action<FaultKinds, SimulatedNode, int> strike)
    {
        _strike = strike;
        var kinds = FaultLedger.Kinds.Where(k => (k & profile.AimedKinds) != 0).ToArray();
        for (var i = 0; i < profile.AimedStrikes && kinds.Length > 0; i++)
        {
            var atRecord = random.Chance(0.5);
            var step = atRecord ? (int)random.Pick(Records) : (int)random.Pick(Messages);
            _aims.Add(new Aim(atRecord, 1UL << step, random.Pick(kinds)) { Left = 1 + random.Next(OccurrenceMax) });
        }
    }

    /// <summary>A node has handled a message.</summary>
    public void Received(SimulatedNode node, ulong kinds) => Happened(atRecord: false, kinds, node, -1);

    /// <summary>A batch is in its log.</summary>
    public void Appended(AppendRequest request, ulong kinds)
    {
        if (request.Process is SimulatedNode { IsAlive: true } node) Happened(atRecord: true, kinds, node, request.Partition);
    }

    private void Happened(bool atRecord, ulong kinds, SimulatedNode node, int partition)
    {
        for (var i = _aims.Count - 1; i >= 0; i--)
        {
            var aim = _aims[i];
            if (aim.AtRecord != atRecord || (aim.Step & kinds) == 0 || --aim.Left > 0) continue;
            _aims.RemoveAt(i);
            _strike(aim.Kind, node, partition);
        }
    }

    private sealed class Aim(bool atRecord, ulong step, FaultKinds kind)
    {
        public bool AtRecord => atRecord;

        /// <summary>The bit of a kind of message or record.</summary>
        public ulong Step => step;

        public FaultKinds Kind => kind;

        public int Left { get; set; }
    }
}
