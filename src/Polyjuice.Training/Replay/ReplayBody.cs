using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Training.Replay;

/// <summary>One transaction of a replay, from a client's request to its answer.</summary>
/// <param name="cluster">Where it runs.</param>
/// <param name="client">Whose it is.</param>
/// <param name="program">What it does.</param>
/// <param name="started">When its client asked for it for the first time.</param>
internal sealed class ReplayBody(
    ReplayCluster cluster, int client, ReplayProgram program, long started) : ITransactionBody
{
    private readonly ReplayNode _agent = cluster.Nodes[program.Root.Silo];

    public int Client => client;

    public ReplayProgram Program => program;

    public long Started => started;

    /// <summary>How it ended, once it has.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>The request has come to its silo, and its turn has come there.</summary>
    public void Begin() => _agent.Begin(this);

    /// <summary>Its client hears how it has ended.</summary>
    public void Told() => cluster.Ended(this);

    public async Task RunAsync(CallFrame frame)
    {
        _agent.ChargeAttempt();
        try
        {
            await _agent.RunAsync(frame, program.Root);
            if (program.IsRefused) throw new ReplayRefusedException();
        }
        catch
        {
            _agent.ChargeFailure();
            throw;
        }
    }

    public void RunEnded(CallFrame frame)
    {
    }

    public void Completed(Exception? failure)
    {
        Failure = failure;
        _agent.Answer(this);
    }
}

/// <summary>What a replayed transaction is going to access, exactly.</summary>
internal sealed class ReplayAccessSet(ReplayWorkload workload) : IDeclaredAccessSet
{
    public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body)
    {
        var updates = new SortedDictionary<int, bool>();
        Collect(((ReplayBody)body).Program.Root, updates);
        return [.. updates.Select(access => new DeclaredAccess(workload.Keys[access.Key], access.Value))];
    }

    private static void Collect(ReplayCall call, SortedDictionary<int, bool> updates)
    {
        foreach (var step in call.Steps)
        {
            if (step.Calls is null)
                updates[step.Participant] = step.IsUpdate || updates.GetValueOrDefault(step.Participant);
            else foreach (var callee in step.Calls) Collect(callee, updates);
        }
    }
}
