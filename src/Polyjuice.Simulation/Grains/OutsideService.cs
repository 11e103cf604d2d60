using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Grains;

/// <summary>What the service answers.</summary>
internal enum StepAnswer
{
    Yes,
    No,

    /// <summary>It throws: nobody can say what it has done.</summary>
    Breaks,
}

/// <summary>
/// A service that cannot prepare, and is asked last of all: the final step of transactions. What it has done stays
/// done, whatever becomes of the silo that asked. It judges the engine by what it was asked.
/// </summary>
/// <remarks>The violations, by kind:
/// <list type="bullet">
/// <item><c>step-missing</c>: a caller was told "committed", or a write is
/// there in the end, and the step was not taken, or not answered yet.</item>
/// <item><c>step-twice</c>: the step of one attempt was taken twice.</item>
/// <item><c>step-ignored</c>: a transaction committed although its step was refused or broke.</item>
/// <item><c>step-undone</c>: a step was answered with yes, its
/// manager was not lost, and the attempt did not commit.</item>
/// </list></remarks>
internal sealed class OutsideService
{
    /// <summary>An answer that takes longer than agents wait until they ask for an abort, in microseconds.</summary>
    public static readonly long Slowly = ClusterShape.FastOptions().PrepareTimeoutMicroseconds * 4 / 3;

    private readonly Dictionary<TransactionId, Request> _requests = [];
    private readonly HashSet<TransactionId> _expected = [];

    /// <summary>Steps that threw: as many transactions may be in doubt although nothing went wrong.</summary>
    public long Broken { get; private set; }

    /// <summary>
    /// Whether an answer took so long that who waited for the transaction, or for one behind it, may have reached a
    /// deadline although nothing else went wrong.
    /// </summary>
    public bool WasSlow { get; private set; }

    /// <summary>An attempt will ask, if it gets as far.</summary>
    public void Expect(TransactionId attempt) => _expected.Add(attempt);

    /// <summary>
    /// Whether an attempt has a final step: its prepare is durable
    /// before that is taken, and its commit record is another append.
    /// </summary>
    public bool Expects(TransactionId attempt) => _expected.Contains(attempt);

    /// <summary>The service is asked, on the turn of the manager's node.</summary>
    public Task<bool> Ask(
        SimulatedNode node, PartitionOwner manager, TransactionId attempt, BodyRun run, DecideStep step)
    {
        var request = new Request(node, manager, run.Transaction, step.Answer) { IsAnswered = step.Delay == 0 };
        if (!_requests.TryAdd(attempt, request))
            throw new SimulationFailedException(
                "step-twice", $"the final step of {run} was taken twice, the second time at {node.Id}");
        node.Cluster.TraceLine(
            () => $"{node.Id}: final step of {run} ({attempt}), whose answer is {step.Answer} after {step.Delay} µs");
        var protocol = node.Cluster.Protocol;
        protocol?.StepTaken(node, manager, attempt);
        if (step.Delay == 0) protocol?.StepAnswered(attempt, step.Answer == StepAnswer.Yes);
        if (step.Answer == StepAnswer.Breaks) Broken++;
        WasSlow |= step.Delay >= Slowly;
        if (step.Delay == 0)
            return step.Answer == StepAnswer.Breaks
                ? throw new IOException("the service broke")
                : Task.FromResult(step.Answer == StepAnswer.Yes);
        var answer = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        node.Queue(step.Delay, EventKind.Timer, () =>
        {
            request.IsAnswered = true;
            protocol?.StepAnswered(attempt, step.Answer == StepAnswer.Yes);
            if (step.Answer == StepAnswer.Breaks) answer.SetException(new IOException("the service broke"));
            else answer.SetResult(step.Answer == StepAnswer.Yes);
        });
        return answer.Task;
    }

    /// <summary>A transaction has committed: at the moment when its caller is told, and in the end.</summary>
    public void CheckTaken(TransactionRecord record)
    {
        if (!record.Spec.HasFinalStep) return;
        if (!_requests.TryGetValue(record.LastAttempt, out var asked))
            throw new SimulationFailedException(
                "step-missing", $"{record} committed, and its final step was never taken");
        if (!asked.IsAnswered)
            throw new SimulationFailedException(
                "step-missing", $"{record} committed, and its final step is still being taken");
        if (asked.Answer != StepAnswer.Yes)
            throw new SimulationFailedException(
                "step-ignored", $"{record} committed, and its final step ended with {asked.Answer}");
    }

    /// <summary>When everything has come to rest, and before any silo is restarted.</summary>
    public void Judge(IReadOnlyList<TransactionRecord> records, IReadOnlyList<FinalAccount> final)
    {
        var visible = final.SelectMany(a => a.Tokens).Select(Token.TransactionOf).ToHashSet();
        var committed = new Dictionary<int, TransactionId>();
        foreach (var record in records)
        {
            if (record.Outcome != Outcome.Committed && !visible.Contains(record.Id)) continue;
            committed.Add(record.Id, record.LastAttempt);
            CheckTaken(record);
        }

        foreach (var (attempt, request) in _requests)
        {
            if (request.Answer != StepAnswer.Yes || !request.Node.IsAlive || !request.Manager.IsActive) continue;
            if (committed.TryGetValue(request.Transaction, out var which) && which == attempt) continue;
            throw new SimulationFailedException(
                "step-undone",
                $"the final step of T{request.Transaction} ({attempt}) was taken at {request.Node.Id}, which still "
                + "serves the manager's partition, and it did not commit");
        }
    }

    private sealed record Request(SimulatedNode Node, PartitionOwner Manager, int Transaction, StepAnswer Answer)
    {
        public bool IsAnswered { get; set; }
    }
}
