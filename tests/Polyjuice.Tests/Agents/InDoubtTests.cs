using Polyjuice.Contracts;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;

namespace Polyjuice.Tests.Agents;

public sealed class InDoubtTests
{
    [Fact]
    public void A_manager_that_the_agent_asks_late_has_as_long_to_answer_as_another()
    {
        var rig = new EngineRig();
        var options = rig.Node.Engine.Options;
        rig.Commit("Loads", async frame => await rig.Add(frame, 0, 1, 1));
        var append = new LogTap(rig.Cluster.Logs).Rule(
            AppendFate.Hold, (_, records) => records.Any(record => record.Kind == LogRecordKind.Prepare));
        var task = rig.Start("Adds", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => append.Taken.Count == 1, "its record must be in the log's hands");

        // The whole process stalls: its clock goes on while nothing else does.
        rig.Node.ClockOffset += options.PrepareTimeoutMicroseconds + options.InDoubtTimeoutMicroseconds + 1;
        rig.Cluster.Loop.RunFor(options.InDoubtTimeoutMicroseconds / 2);
        Assert.False(task.IsCompleted);
        append.Release();
        rig.End(task);

        Assert.True(task.IsCompletedSuccessfully);
    }

    [Fact]
    public void One_that_never_answers_leaves_the_transaction_in_doubt_in_bounded_time()
    {
        var rig = new EngineRig();
        var options = rig.Node.Engine.Options;
        rig.Commit("Loads", async frame => await rig.Add(frame, 0, 1, 1));
        var append = new LogTap(rig.Cluster.Logs).Rule(
            AppendFate.Hold, (_, records) => records.Any(record => record.Kind == LogRecordKind.Prepare));
        var task = rig.Start("Adds", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => append.Taken.Count == 1, "its record must be in the log's hands");
        rig.Cluster.Loop.RunFor(
            options.PrepareTimeoutMicroseconds + options.InDoubtTimeoutMicroseconds + (3 * options.TickMicroseconds));

        Assert.IsType<TransactionInDoubtException>(task.Exception?.InnerException);
    }
}
