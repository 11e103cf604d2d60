using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// V6: an outcome is kept until every log that needs it has it, the agent has told its caller or is dead, and
/// dependents are finally confirmed. A log says that an agent is dead before it forgets for that reason, and whom it
/// names does not serve it.
/// </summary>
internal static class V6Forgetting
{
    private const string Rule = "V6";

    /// <summary>What is acknowledged is in the log, by an append of this epoch.</summary>
    public static void CheckAcknowledge(OwnerModel owner, in OwnerSaid e)
    {
        var id = e.Message.Transaction;
        if (owner.IsRow || owner.Log.CommitsKnown.Contains((id, owner.Epoch))) return;
        throw Rejected.By(Rule, e.ToString(), $"no append of this epoch has brought the outcome into its log: {owner}");
    }

    /// <summary>
    /// "Unknown" is said of a commit only to one whose acknowledgement was not needed, or has it in its log.
    /// </summary>
    public static void CheckUnknown(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var id = e.Message.Transaction;
        if (owner.IsRow || !state.IsDecided(id)) return;
        if (e.Message.Kind == MessageKind.AgentOutcome)
        {
            if (!state.IsAgentDone(id))
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"it has committed, and its agent has not told its caller: {state.Transaction(id)}");
            return;
        }

        var asker = e.Message.Partition;
        if (asker < 0 || PartitionNames.IsRow(asker)
            || state.Transaction(id).Commit?.MustAcknowledge.Contains(asker) == false)
            return;
        var log = state.Log(asker);
        if (log.Prepares.ContainsKey(id) && !log.Outcomes.GetValueOrDefault(id))
            throw Rejected.By(Rule, e.ToString(), $"it has committed, and {log} has its prepare and not its outcome");
    }

    /// <summary>A manager forgets what all logs have that need it, and the agent has told.</summary>
    public static void CheckDecision(
        SpecificationState state, OwnerModel owner, TransactionModel transaction, in DecisionForgotten e)
    {
        if (!state.IsAgentGivenUp(e.Id))
            throw Rejected.By(Rule, e.ToString(), $"its agent has not told its caller: {transaction}");
        if (owner.IsRow || transaction.Commit is not { } commit) return;
        foreach (var partition in commit.MustAcknowledge)
        {
            if (!PartitionNames.IsRow(partition) && !state.Log(partition).Outcomes.GetValueOrDefault(e.Id))
                throw Rejected.By(
                    Rule, e.ToString(), $"{state.Log(partition)} does not have the outcome: {transaction}");
        }
    }

    /// <summary>What a log forgets because its agent is dead, it forgets behind the word of that death.</summary>
    public static void CheckRecord(SpecificationState state, LogModel log, LoggedRecord record, in BatchWritten e)
    {
        if (state.Transaction(record.Id).IsTold || log.Deaths.Contains(record.Id.Node)) return;
        throw Rejected.By(
            Rule, e.ToString(),
            $"{record.Id}'s agent has not told its caller, and the log does not say that its node is dead: {log}");
    }

    /// <summary>Who reads its own death in a log serves nothing from it.</summary>
    public static void Check(OwnerModel owner, in OwnerServes e)
    {
        if (!owner.ReadsOwnDeath) return;
        throw Rejected.By(Rule, e.ToString(), $"the log says that this node is dead: {owner.Log}");
    }

    /// <summary>
    /// A participant keeps an outcome while a transaction that it
    /// has logged as depending on it is not finally confirmed.
    /// </summary>
    public static void CheckOutcome(SpecificationState state, OwnerModel owner, in OutcomeForgotten e)
    {
        if (owner.IsRow || !owner.Dependents.TryGetValue(e.Id, out var dependents)) return;
        foreach (var branch in dependents)
        {
            if (IsUnconfirmedDependent(state, owner, branch, e.Id))
                throw Rejected.By(
                    Rule, e.ToString(), $"a transaction depends on it that is not finally confirmed: {branch}");
        }
    }

    /// <summary>
    /// That a dependency aborted is said when it has not committed; or to one whose transaction is over here.
    /// </summary>
    public static void CheckDependencyAborted(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var answer = DependencyAnswerMessage.Read(e.Message);
        var dependency = answer.Dependency;
        if (owner.IsRow || answer.IsToAgent || !state.IsDecided(dependency)) return;
        if (owner.Find(answer.Transaction) is { } branch && IsUnconfirmedDependent(state, owner, branch, dependency))
            throw Rejected.By(
                Rule, e.ToString(), $"the dependency has committed, and who asks is not finally confirmed: {branch}");
    }

    private static bool IsUnconfirmedDependent(
        SpecificationState state, OwnerModel owner, BranchModel branch, TransactionId dependency)
    {
        if (branch is not { WillLog: true, Status: BranchStatus.Ordered or BranchStatus.Committed }
            || !branch.Dependencies.Contains(dependency))
            return false;
        if (owner.Log.Outcomes.ContainsKey(branch.Id)) return false;
        return branch.Manager != owner.Partition || state.Transaction(branch.Id).Commit is not { } commit
            || (commit.Dependencies.Length > 0 && !owner.Log.Resolutions.ContainsKey(branch.Id));
    }
}
