using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

// V6, where a node is taken for dead and lives: it comes back to a log from which others have forgotten what it did.
internal static partial class Scenarios
{
    /// <summary>
    /// A manager, which is its transaction's agent as well, gets no votes. All others take it for dead: its successor
    /// commits what all have prepared, and forgets it, because nobody is left who could ask. Then the first manager
    /// takes its log back. Its agent must not hear from there that the transaction has aborted.
    /// </summary>
    public static void V6DeathIsInTheLog(ProtocolBreaks breaks) => Death(breaks, static s => s.FirstOwner(0));

    /// <summary>The same, and who takes the log over is another node that has not heard of the death.</summary>
    public static void V6DeathIsHeardFromTheLog(ProtocolBreaks breaks) => Death(breaks, static s => s.FirstOwner(2));

    /// <summary>
    /// An owner of a row stores a commit, and hears no answer. All others take it for dead: its successor finds the
    /// commit, and drops it with the next store. Then the first owner takes its row back.
    /// </summary>
    public static void RowKeepsDeaths(ProtocolBreaks breaks) => RowDeath(breaks, static s => s.FirstOwner(4));

    /// <summary>The same, and who takes the row over is another node that has not heard of the death.</summary>
    public static void RowTellsOfDeaths(ProtocolBreaks breaks) => RowDeath(breaks, static s => s.FirstOwner(1));

    private static void RowDeath(ProtocolBreaks breaks, Func<Scenario, SimulatedNode> heir)
    {
        var s = new Scenario(breaks, rows: true);
        var (mistaken, late) = (s.FirstOwner(4), heir(s));
        var commit = Hold(s, 4, request => request.CommitUpTo is not null && request.Process == mistaken);
        var record = s.Start(mistaken, Scenario.Updates("T", 4));
        s.Until(() => commit.Count > 0, "the row commits");
        mistaken.HearsStorage = false;
        s.Rows.Release(commit[0]);
        s.TakeForDead(mistaken, except: late);
        s.Run(1_000);
        s.TakeOver(4, s.Spare);
        s.Commit(s.Agent, Scenario.Updates("Next", 4));
        s.Commit(s.Agent, Scenario.Updates("AfterThat", 4));
        s.Require(record.Outcome == Outcome.Running, "T has not heard that it has committed");

        mistaken.HearsStorage = true;
        s.Believe(mistaken, 4, late);
        s.Cluster.Assign(4, late);
        s.Run(3_000_000);
        s.Require(record.Outcome != Outcome.Running, "T ends");

        // Nobody else gets at the rest of what it owns.
        s.Cluster.Crash(mistaken);
        s.Cluster.Assign(4, s.Spare);
        s.Judge();
    }

    private static void Death(ProtocolBreaks breaks, Func<Scenario, SimulatedNode> heir)
    {
        var s = new Scenario(breaks);
        var (mistaken, late) = (s.FirstOwner(0), heir(s));
        var votes = s.Wire.Drop(Scenario.Of(MessageKind.Vote, to: mistaken.Id));
        var record = s.Start(mistaken, Scenario.Updates("T", 1, 0));
        s.Until(
            () => HasLogged(s, 0, LogRecordKind.Staged, mistaken) && HasLogged(s, 1, LogRecordKind.Prepare, mistaken),
            "all prepares are durable");
        s.TakeForDead(mistaken, except: late);
        s.TakeOver(0, s.Spare);
        s.Until(() => HasLogged(s, 0, LogRecordKind.Forget, mistaken), "the successor has committed and forgotten it");

        votes.Off();
        s.Believe(mistaken, 0, late);
        s.Cluster.Assign(0, late);
        s.Run(3_000_000);
        s.Require(record.Outcome != Outcome.Running, "T ends");
        s.Cluster.Assign(0, s.Spare);
        s.Judge();
    }
}
