using System.Buffers;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Training.Replay;

// The host's part: runs bodies, and carries grain calls to where their grain is.
internal sealed partial class ReplayNode
{
    private static readonly SendOrPostCallback s_serveLocal = static state => ((LocalCall)state!).Serve();
    private static readonly SendOrPostCallback s_serveRemote = static state => ((RemoteServing)state!).Serve();
    private static readonly Func<ReplayState, long> s_read = static state => state.Updates;
    private static readonly Func<ReplayState, long> s_update = static state => ++state.Updates;

    private readonly ArrayBufferWriter<byte> _bytes = new();

    /// <summary>A transaction begins here.</summary>
    public void Begin(ReplayBody body)
    {
        _messages++;
        _calls++;
        Engine.Run(
            _cluster.RequestOf(body.Program),
            _cluster.Workload.Methods[body.Program.Root.Method],
            body,
            CancellationToken.None);
    }

    /// <summary>An attempt begins.</summary>
    public void ChargeAttempt() => _attempts++;

    /// <summary>An exception has ended a body.</summary>
    public void ChargeFailure() => _failures++;

    /// <summary>Runs a call's body in its frame.</summary>
    public async Task RunAsync(CallFrame frame, ReplayCall call)
    {
        foreach (var step in call.Steps)
        {
            if (step.Calls is null) await AccessAsync(frame, step);
            else if (step.Calls.Length == 1) await CallAsync(frame, step.Calls[0]);
            else await Task.WhenAll(Array.ConvertAll(step.Calls, callee => CallAsync(frame, callee)));
        }
    }

    private ValueTask<long> AccessAsync(CallFrame frame, in ReplayStep step)
    {
        _accesses++;
        _compute += step.ComputeMicroseconds;
        var state = _states[step.Participant] ??= Engine.CreateState(
            _cluster.Workload.Keys[step.Participant], ReplayStateCodec.Shared);
        return step.IsUpdate ? state.UpdateAsync(frame, s_update) : state.ReadAsync(frame, s_read);
    }

    private Task CallAsync(CallFrame frame, ReplayCall callee)
    {
        var call = frame.BeginCall();
        if (callee.Silo != Index) return AskAsync(frame, call, callee);
        try
        {
            var local = new LocalCall(this, call, call.EnterLocal(_cluster.Workload.Methods[callee.Method]), callee);
            Post(s_serveLocal, local);
            return local.Done.Task;
        }
        catch
        {
            call.Fail();
            throw;
        }
    }

    private Task AskAsync(CallFrame frame, OutgoingCall call, ReplayCall callee)
    {
        var destination = new NodeId(callee.Silo + 1);
        _bytes.ResetWrittenCount();
        call.WriteToken(destination, _bytes);
        var request = new RequestMail(this, NodeOf(destination), call, callee, _bytes.WrittenSpan.ToArray());
        Add(destination, request);
        return request.Done.Task;
    }

    private void Enter(NodeId caller, RequestMail request)
    {
        var frame = Engine.EnterRemoteCall(caller, request.Token, _cluster.Workload.Methods[request.Callee.Method]);

        // A transaction that is over: nothing of it may run, and nobody waits for it but perhaps an abandoned body.
        if (frame is null) Add(caller, new AnswerMail(request, new ReplayRefusedException(), null));
        else Post(s_serveRemote, new RemoteServing(this, caller, request, frame));
    }

    private async Task<Exception?> ServeAsync(CallFrame frame, ReplayCall call)
    {
        _calls++;
        Exception? error = null;
        try
        {
            await RunAsync(frame, call);
        }
        catch (Exception e) when (e is not ReplayFailedException)
        {
            error = e;
            _failures++;
        }

        frame.Exit(error);
        return error;
    }

    /// <summary>A call whose grain is on the same silo.</summary>
    private sealed class LocalCall(ReplayNode node, OutgoingCall call, CallFrame frame, ReplayCall callee)
    {
        // Continuations run with the answer.
        public TaskCompletionSource Done { get; } = new();

        public async void Serve()
        {
            var error = await node.ServeAsync(frame, callee);
            call.Complete();
            if (error is null) Done.SetResult();
            else Done.SetException(error);
        }
    }

    /// <summary>The same on another silo: what travels there.</summary>
    private sealed class RequestMail(
        ReplayNode caller, ReplayNode to, OutgoingCall call, ReplayCall callee, byte[] token) : Mail
    {
        public ReplayNode Caller => caller;

        public ReplayCall Callee => callee;

        public byte[] Token => token;

        public TaskCompletionSource Done { get; } = new();

        public override void Take()
        {
            to._messages++;
            to.Enter(caller.Id, this);
        }

        public void Ended(Exception? error, byte[]? answered)
        {
            if (answered is { } report) call.Complete(report);
            else call.Fail();
            if (error is null) Done.SetResult();
            else Done.SetException(error);
        }
    }

    /// <summary>And back.</summary>
    private sealed class AnswerMail(RequestMail request, Exception? error, byte[]? report) : Mail
    {
        public override void Take()
        {
            request.Caller._messages++;
            request.Ended(error, report);
        }
    }

    private sealed class RemoteServing(ReplayNode node, NodeId caller, RequestMail request, CallFrame frame)
    {
        public async void Serve()
        {
            var error = await node.ServeAsync(frame, request.Callee);
            node._bytes.ResetWrittenCount();
            frame.WriteReport(node._bytes);
            node.Add(caller, new AnswerMail(request, error, node._bytes.WrittenSpan.ToArray()));
        }
    }
}
