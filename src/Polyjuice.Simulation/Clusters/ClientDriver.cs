using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Waits;

namespace Polyjuice.Simulation.Clusters;

/// <summary>Has transactions run as clients' calls do, and tells the cluster what their callers hear.</summary>
internal sealed class ClientDriver(SimulatedCluster cluster)
{
    /// <summary>Runs a transaction at its agent. On that node's turn.</summary>
    /// <remarks>Async void: what nobody expects comes back on the turn and ends the run.</remarks>
    public async void Drive(TransactionRecord record)
    {
        var node = record.Agent;
        var spec = record.Spec;
        var request = new TransactionRequest
        {
            Type = spec.Type,
            IsReadOnly = spec.IsReadOnly,
            MaxAttempts = spec.MaxAttempts,
            TimeoutMicroseconds = spec.TimeoutMicroseconds,
            AllowsReconnaissance = spec.MayRunDry,
            AccessSet = cluster.Shape.Declares(record.Id) ? new DeclaredSet(cluster, record) : null,
            CallKeys = new SpecKeys(cluster, record),
        };
        cluster.TraceLine(() =>
            $"{node.Id}: T{record.Id} starts: {spec.Type}{(spec.IsReadOnly ? ", read-only" : "")}, "
            + spec.Body.Describe());
        try
        {
            await node.Engine.RunAsync(
                request, cluster.Methods.Named($"IRoot.{spec.Type}"), frame => RunBodyAsync(record, frame),
                CancellationToken.None);
            cluster.EndRecord(record, Outcome.Committed);
        }
        catch (TransactionInDoubtException e)
        {
            cluster.EndRecord(record, Outcome.InDoubt, e.Abort);
        }
        catch (TransactionAbortedException e)
        {
            var user = e.InnerException as UserException;
            if (e.Abort.Reason == AbortReason.UserException
                && e.InnerException is not (null or UserException or TransactionAbortedException))
                throw new SimulationFailedException("not-the-users-exception", $"T{record.Id}: {e}");
            cluster.EndRecord(record, Outcome.Aborted, e.Abort, user);
        }

        cluster.TraceLine(() => $"{node.Id}: the caller of T{record.Id} hears {record}");
    }

    private static async Task RunBodyAsync(TransactionRecord record, CallFrame frame)
    {
        var run = record.BeginRun(frame.Transaction.Id);
        var view = new View();
        try
        {
            await record.Agent.Calls.RunAsync(frame, -1, record.Spec.Body, view, run);
            run.Completed = true;
        }
        finally
        {
            run.Observations = view.Observations;
        }
    }
}
