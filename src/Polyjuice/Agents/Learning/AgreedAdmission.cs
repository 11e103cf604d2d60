using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Lets the nodes choose the same admission for a type at the same time: one of them tries for all
/// (<see cref="AdmissionTrial"/>), by what the others tell it of theirs. Turn only.
/// </summary>
/// <remarks>
/// Where transactions of one node reserve and those of another one run at once, both lose: a reservation waits for what
/// came without one, and what came without one queues behind reservations. If each node tried for itself, it would
/// measure that, and what it chooses would be right for itself at the others' cost. So the owner of a log with the
/// lowest number decides. All of it is for speed: whoever hears nothing decides for itself, and two who see other
/// owners may both decide for a while.
/// </remarks>
internal sealed class AgreedAdmission(
    EngineContext context, TablesInForce tables, TypeLearning learning, Mail mail, KnownOwners owners)
{
    // Nodes and types that are remembered; when there are more, all are heard anew.
    private const int HeardMax = 4_096;



    // What each node has told last of each type, since it began to.
    private readonly Dictionary<(NodeId Node, int TypeId), (long Commits, long OpenTime)> _heard = [];
    private readonly Dictionary<ulong, int> _types = [];

    /// <summary>Tells the node that decides what is new.</summary>
    public void Tick()
    {
        var leader = NodeId.None;
        var types = learning.TypeCount;
        for (var typeId = 0; typeId < types; typeId++)
        {
            if (!learning.TakeNews(typeId, out var news)) continue;
            if (leader == NodeId.None) leader = owners.Leader();
            if (leader == context.Node || leader == NodeId.None) return;
            mail.Send(leader, new AdmissionReport
            {
                Type = StableHash.Of(tables.NameOfType(typeId)),
                Commits = news.Commits,
                OpenTime = news.OpenTime,
                HasConflicts = news.HasConflicts,
                RunsDryInConflict = news.RunsDryInConflict,
                KeepsAtMost = news.KeepsAtMost,
            });
        }
    }

    /// <summary>Another node tells what is new there, or what it has decided.</summary>
    public void Heard(in Message message)
    {
        if (AdmissionReport.Is(message)) Heard(AdmissionReport.Read(message), message.From);
        else Heard(AdmissionAnswer.Read(message), message.From);
    }

    private void Heard(in AdmissionAnswer answer, NodeId from)
    {
        if (TryFind(answer.Type, out var typeId) && from == owners.Leader())
            learning.Follow(typeId, ArmOf(answer), context.Now);
    }

    private void Heard(in AdmissionReport report, NodeId from)
    {
        if (!TryFind(report.Type, out var typeId)) return;
        if (owners.Leader() != context.Node || !tables.IsChosenHere(typeId)) return;
        var told = (report.Commits, report.OpenTime);
        if (_heard.Count >= HeardMax) _heard.Clear();

        // What comes late has been told already. Of the first one nobody knows since when.
        var before = _heard.GetValueOrDefault((from, typeId), told);
        if (told.Commits < before.Commits || told.OpenTime < before.OpenTime) return;
        _heard[(from, typeId)] = told;
        var news = new TypeNews(
            told.Commits - before.Commits,
            told.OpenTime - before.OpenTime,
            report.HasConflicts,
            report.RunsDryInConflict,
            report.KeepsAtMost);
        var arm = learning.NoteElsewhere(typeId, news, context.Now, tables.Current.HandsOn);
        mail.Send(from, new AdmissionAnswer
        {
            Type = report.Type,
            Reserves = arm == AdmissionArm.Reserve,
            KeepsWrites = arm == AdmissionArm.KeepWrites,
        });
    }

    /// <summary>
    /// To an engine that knows two ways only, whoever does not reserve runs by the table's rows.
    /// </summary>
    private static AdmissionArm ArmOf(in AdmissionAnswer answer) =>
        answer.Reserves
            ? AdmissionArm.Reserve
            : answer.KeepsWrites ? AdmissionArm.KeepWrites : AdmissionArm.HandOn;

    /// <summary>Type numbers are each node's own.</summary>
    private bool TryFind(ulong hash, out int typeId)
    {
        for (typeId = _types.Count; typeId < tables.TypesKnown; typeId++)
            _types[StableHash.Of(tables.NameOfType(typeId))] = typeId;
        return _types.TryGetValue(hash, out typeId);
    }
}
