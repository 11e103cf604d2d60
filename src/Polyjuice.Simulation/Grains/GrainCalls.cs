using System.Buffers;
using System.Runtime.ExceptionServices;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Grains;

/// <summary>
/// The host's part of a node: it runs bodies, and carries grain calls to the silo that owns the callee's partition and
/// their answers back.
/// </summary>
internal sealed class GrainCalls(SimulatedNode node)
{
    private readonly Dictionary<long, (NodeId Callee, TaskCompletionSource<Answer?> Done)> _pending = [];
    private long _lastCall;

    /// <summary>Calls that were executed here for other silos.</summary>
    public long RemoteCallsEntered { get; private set; }

    /// <summary>Runs a step in a frame.</summary>
    /// <param name="frame">Whose.</param>
    /// <param name="grain">The account whose grain runs it, or −1 for the root, which has no state of its own.</param>
    /// <param name="step">What.</param>
    /// <param name="view">What the body has seen; what it sees is added.</param>
    /// <param name="run">The run of the root body that it belongs to.</param>
    public async Task RunAsync(CallFrame frame, int grain, Step step, View view, BodyRun run)
    {
        switch (step)
        {
            case ReadStep read when read.Account == grain:
            case UpdateStep update when update.Account == grain:
                await AccessAsync(frame, grain, step, view, run);
                break;
            case DecideStep decide when decide.Account == grain:
                await AccessAsync(frame, grain, Step.Update(grain), view, run);
                Decide(frame, decide, run);
                break;
            case DecideStep decide:
                await CallAsync(frame, decide.Account, step, view, run);
                break;
            case ReadStep read:
                await CallAsync(frame, read.Account, step, view, run);
                break;
            case UpdateStep update:
                await CallAsync(frame, update.Account, step, view, run);
                break;
            case CallStep call:
                await CallAsync(frame, call.Account, call.Body, view, run);
                break;
            case SequenceStep sequence:
                foreach (var part in sequence.Steps) await RunAsync(frame, grain, part, view, run);
                break;
            case ParallelStep parallel:
                await Task.WhenAll(parallel.Steps.Select(part => RunAsync(frame, grain, part, view, run)));
                break;
            case ThrowStep thrower:
                if (thrower.Condition(view)) throw new UserException(thrower.Message);
                break;
            case IfStep branch:
                await RunAsync(frame, grain, branch.Condition(view) ? branch.Then : branch.Else, view, run);
                break;
            case PauseStep pause:
                await PauseAsync(pause.Microseconds);
                break;
            case GateStep gate:
                await gate.Gate.Arrive();
                break;
            case CatchStep guarded:
                try
                {
                    await RunAsync(frame, grain, guarded.Body, view, run);
                }
                catch (Exception e) when (e is not SimulationFailedException)
                {
                    node.Cluster.TraceLine(() => $"user code swallows {e.GetType().Name}");
                }

                break;
            case ForgetStep forgotten:
                _ = RunAsync(frame, grain, forgotten.Body, new View(), run);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(step), step, null);
        }
    }

    public void Receive(NetworkMessage message)
    {
        switch (message.Content)
        {
            case Request request:
                Serve(message.From, message.Bytes, request);
                break;
            case Answer answer:
                if (_pending.Remove(answer.CallId, out var pending)) pending.Done.SetResult(answer);
                break;
        }
    }

    /// <summary>A silo was declared dead: nobody waits for its answers any longer.</summary>
    public void CalleeDied(NodeId dead)
    {
        foreach (var (id, call) in _pending.Where(p => p.Value.Callee == dead).ToArray())
        {
            _pending.Remove(id);
            call.Done.SetResult(null);
        }
    }

    private Task PauseAsync(long microseconds)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        node.Queue(microseconds, EventKind.Timer, done.SetResult);
        return done.Task;
    }

    private async Task AccessAsync(CallFrame frame, int account, Step step, View view, BodyRun run)
    {
        var activation = node.Activate(account);
        activation.Users++;
        var token = step is UpdateStep ? TokenFor(frame, run) : 0;
        try
        {
            var seen = step is UpdateStep update
                ? await activation.State.UpdateAsync(frame, state =>
                {
                    var delta = update.DeltaOf?.Invoke(view, state.Balance) ?? update.Delta;
                    var before = new Observation(account, [.. state.Tokens], state.Balance, token, delta);
                    if (state.Balance < update.RequiredBalance) throw new InsufficientFundsException(before);
                    state.Tokens.Add(token);
                    state.Balance += delta;
                    return before;
                })
                : await activation.State.ReadAsync(
                    frame, state => new Observation(account, [.. state.Tokens], state.Balance, 0, 0));
            view.Add(seen);
            node.Cluster.TraceLine(
                () => $"{node.Id}: {run} {(seen.IsUpdate ? "updates" : "reads")} x{account} [{Name(seen.Before)}]");
        }
        catch (InsufficientFundsException e)
        {
            view.Add(e.Seen with { Written = 0, Delta = 0 });
            throw new UserException($"account {account} has {e.Seen.Balance}");
        }
        finally
        {
            activation.Users--;
        }
    }

    private void Decide(CallFrame frame, DecideStep step, BodyRun run)
    {
        PartitionOwner? manager = null;
        node.Activate(step.Account).State.DecideBy(frame, Ask);
        if (frame.IsReconnaissance) return;
        node.Cluster.Outside.Expect(frame.Transaction.Id);
        node.Cluster.Protocol?.StepExpected(frame.Transaction.Id);
        for (var branch = frame.Transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.FinalStep == Ask) manager = branch.Owner;
        }

        Task<bool> Ask(TransactionId attempt) => node.Cluster.Outside.Ask(node, manager!, attempt, run, step);
    }

    /// <summary>
    /// An access that is served from the record of a resumed body must do what it did: it has the token that it had.
    /// </summary>
    private static long TokenFor(CallFrame frame, BodyRun run)
    {
        var transaction = frame.Transaction;
        var number = transaction.AccessNumber + 1;
        var isReplayed = number <= transaction.ReplayUpTo && transaction.Record is not null;
        return isReplayed ? run.TokenAgain(number) : run.NextToken(number);
    }

    private static string Name(IReadOnlyList<long> tokens) => string.Join(' ', tokens.Select(Token.Unpack));

    private async Task CallAsync(CallFrame frame, int account, Step body, View view, BodyRun run)
    {
        var unit = node.Cluster.Accounts.UnitOf(account);
        node.Cluster.Wake(unit);
        var callee = node.OwnerOf(unit);
        var (calleeView, inherited) = view.ForCallee();
        var call = frame.BeginCall();
        if (callee == node.Id)
        {
            CallFrame inner;
            try
            {
                inner = call.EnterLocal(node.Cluster.Methods.Of(node.Cluster.Accounts.KeyOf(account), body));
            }
            catch
            {
                call.Fail();
                throw;
            }

            var error = await ServeAsync(inner, account, body, calleeView, run);
            view.Merge(calleeView, inherited);
            call.Complete();
            if (error is not null) ExceptionDispatchInfo.Throw(error);
            return;
        }

        var answer = await AskAsync(callee, call, new Request(++_lastCall, account, body, calleeView, run));
        if (answer is null)
        {
            call.Fail();
            throw new CallFailedException($"no answer from {callee} for account {account}");
        }

        view.Merge(answer.View, inherited);
        if (answer.Report is null) call.Fail();
        else call.Complete(answer.Report);
        if (answer.Error is not null) throw answer.Error;
    }

    private Task<Answer?> AskAsync(NodeId callee, OutgoingCall call, Request request)
    {
        var done = new TaskCompletionSource<Answer?>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (callee == NodeId.None)
        {
            done.SetResult(null);
            return done.Task;
        }

        var token = new ArrayBufferWriter<byte>();
        call.WriteToken(callee, token);
        _pending.Add(request.CallId, (callee, done));
        node.Cluster.Network.Send(
            new NetworkMessage(node.Id, callee, TrafficKind.Call, token.WrittenSpan.ToArray(), request));
        node.Queue(node.Cluster.Shape.CallTimeout, EventKind.Timer, () =>
        {
            if (_pending.Remove(request.CallId)) done.SetResult(null);
        });
        return done.Task;
    }

    // Async void: an exception that nobody expects comes back on the turn and ends the run.
    private async void Serve(NodeId caller, byte[] token, Request request)
    {
        var view = request.View.ForCallee().View;
        Answer answer;
        try
        {
            var method = node.Cluster.Methods.Of(node.Cluster.Accounts.KeyOf(request.Account), request.Body);
            var frame = node.Engine.EnterRemoteCall(caller, token, method);
            if (frame is null) return;
            RemoteCallsEntered++;
            var error = await ServeAsync(frame, request.Account, request.Body, view, request.Run);
            var report = new ArrayBufferWriter<byte>();
            frame.WriteReport(report);
            answer = new Answer(request.CallId, view, error, report.WrittenSpan.ToArray());
        }
        catch (Exception e) when (e is TransactionAbortedException)
        {
            answer = new Answer(request.CallId, view, e, null);
        }

        node.Cluster.Network.Send(new NetworkMessage(node.Id, caller, TrafficKind.Answer, answer.Report ?? [], answer));
    }

    /// <summary>Runs a callee's body in its frame, a moment after the call arrived, as a busy silo would.</summary>
    private async Task<Exception?> ServeAsync(CallFrame frame, int account, Step body, View view, BodyRun run)
    {
        Exception? error = null;
        try
        {
            var pause = node.Cluster.ThinkTime();
            if (pause > 0) await PauseAsync(pause);
            await RunAsync(frame, account, body, view, run);
        }
        catch (Exception e) when (e is not SimulationFailedException)
        {
            error = e;
        }

        frame.Exit(error);
        return error;
    }

    private sealed record Request(long CallId, int Account, Step Body, View View, BodyRun Run);

    private sealed record Answer(long CallId, View View, Exception? Error, byte[]? Report);

    /// <summary>Thrown inside the update function, where the state that was seen is at hand.</summary>
    private sealed class InsufficientFundsException(Observation seen) : Exception
    {
        public Observation Seen { get; } = seen;
    }
}
