using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Simulation.Grains;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

/// <summary>
/// Rows that wait for holders of some types only: within a group of types nobody waits, between groups everybody does.
/// </summary>
public sealed class HoldersByTypeTests
{
    [Fact]
    public void Holders_of_a_type_whose_cell_says_sealed_are_waited_for_and_others_are_not()
    {
        var rig = new EngineRig(new TwoGroups());

        // Types are numbered as they are first seen.
        foreach (var type in new[] { "A1", "A2", "B1" }) rig.Commit(type, async frame => await rig.Add(frame, 1, 1, 1));
        var gate = new Gate();
        var holder = rig.Start("A1", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the holder must hold");
        var kin = rig.Start("A2", async frame => await rig.Add(frame, 0, 1, 2));
        Assert.Equal(0, rig.Statistics.Waits - rig.Node.Engine.Waits.Count);
        var stranger = rig.Start("B1", async frame => await rig.Add(frame, 0, 1, 3));
        Assert.Contains(rig.Node.Engine.Waits.Count, new[] { 1, 2 });
        gate.Open();
        rig.End(holder);
        rig.End(kin);
        rig.End(stranger);

        // The kin has built on what the holder had exposed; the stranger came when both were sealed.
        Assert.Equal([1, 2, 3], rig.Read(0).Tokens);
        Assert.Equal(rig.Statistics.Attempts, rig.Statistics.Commits);
    }

    [Fact]
    public void Who_passes_its_kin_in_the_queue_is_not_waited_for_by_them()
    {
        var rig = new EngineRig(new TwoGroups());
        foreach (var type in new[] { "A1", "A2", "B1" }) rig.Commit(type, async frame => await rig.Add(frame, 1, 1, 1));
        var participant = rig.Node.Engine.Partitions.All.Single().GetParticipant(rig.Cluster.Accounts.KeyOf(0));
        var table = rig.Node.Policies.Current;
        var types = rig.Node.Policies.Registry.Types.ToList();
        LocalTransaction Of(string type, long number) =>
            new(new TransactionId(new NodeId(9), number), type, types.IndexOf(type), table);
        var (a1, a2, b1) = (Of("A1", 1), Of("A2", 2), Of("B1", 3));
        var ofA = table.RowOf(int.MaxValue, types.IndexOf("A1"));
        var ofB = table.RowOf(int.MaxValue, types.IndexOf("B1"));
        var first = participant.Enqueue(a1, AccessKind.Update);
        Assert.Null(participant.Blocker(a2, AccessKind.Update, place: null, ofA));
        Assert.Same(a1, participant.Blocker(b1, AccessKind.Update, place: null, ofB));
        var second = participant.Enqueue(b1, AccessKind.Update);

        // It waits for the stranger, and, served before its kin, has a place behind it.
        var third = participant.Enqueue(a2, AccessKind.Update);
        Assert.Same(b1, participant.Blocker(a2, AccessKind.Update, third, ofA));
        participant.Dequeue(third);
        participant.List(participant.Owner.BranchForAccess(a2)!, AccessKind.Update, listed: false, third.Number);
        Assert.Null(participant.Blocker(a1, AccessKind.Update, first));
        Assert.Same(a1, participant.Blocker(b1, AccessKind.Update, second, ofB));
        participant.Dequeue(first);
        Assert.Null(participant.Blocker(b1, AccessKind.Update, second, ofB));
        participant.Dequeue(second);

        // Who comes later waits for it as for any holder.
        Assert.Same(a2, participant.Blocker(b1, AccessKind.Update, participant.Enqueue(b1, AccessKind.Update), ofB));
    }

    /// <summary>A1 and A2 are one group, B1 is another.</summary>
    private sealed class TwoGroups : IPolicyCompiler
    {
        public string Name => "two-groups";

        public PolicyTable Compile(SiteRegistry registry, int version)
        {
            var builder = new PolicyTableBuilder(registry, Name);
            for (var type = 0; type < builder.TypeCount; type++)
            {
                var waits = new ushort[builder.TypeCount + 1];
                for (var other = 0; other < builder.TypeCount; other++)
                    waits[other] = registry.Types[other][0] == registry.Types[type][0]
                        ? PolicyTable.NoWait
                        : PolicyTable.UntilSealed;
                const PolicyActions Actions = PolicyActions.WaitForHolders | PolicyActions.HoldersByType
                    | PolicyActions.ReadDirty | PolicyActions.WritePublic;
                builder.SetDefault(type, Actions, waits);
                foreach (var site in builder.Sites.Where(site => site.TypeId == type))
                    builder.SetRow(site.Id, Actions, waits);
            }

            return builder.Build(version);
        }
    }
}
