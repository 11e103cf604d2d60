using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

// Requests that waited at a grain which has moved away before they ran: they are sent on to where it is now, as if they had come later.
internal sealed partial class Silo
{
    private void Forward(Request request)
    {
        var grain = request.Activation.GrainId;
        if (request.Frame is not null)
        {
            // A transaction knows which nodes it has visited, so its calls are not passed on: it is retried and finds the owner.
            // Nothing of the user's has failed, so the frame ends well, and the call counts as unanswered.
            request.Frame.Exit(null);
            Answer(request, new OrleansMessageRejectionException($"{grain} has moved to another silo while the call waited."), hasRun: false);
        }
        else if (request.Cancellation is { IsCancellationRequested: true } cancelled)
        {
            Refuse(request, new TaskCanceledException(null, null, cancelled.Token));
        }
        else if (request.Hops >= RequestOrigin.HopsMax)
        {
            Refuse(request, new OrleansMessageRejectionException($"{grain} has moved {request.Hops} times while the call waited for its turn. Try again."));
        }
        else if (request.RemoteCaller != NodeId.None)
        {
            ForwardRemote(request);
        }
        else
        {
            ForwardLocal(request);
        }
    }

    /// <summary>The caller is here, and calls once more; its arguments are those that the request was given.</summary>
    private void ForwardLocal(Request request)
    {
        var caller = request.LocalCaller;
        if (caller is { IsCompleted: true }) return;
        if (caller is not null)
        {
            caller.LocalRequest = null;
            caller.Hops = (byte)(request.Hops + 1);
        }

        var target = new Target(request.Activation.GrainId, Runtime);
        GoOn(new CallContext(this, null, null, request.Values), target, request.Call, caller);
    }

    /// <summary>The caller is elsewhere: it gets its answer from whoever serves the grain, and is told who that is.</summary>
    private void ForwardRemote(Request request)
    {
        if (request.Cancellation is not null) _cancellable.Remove((request.RemoteCaller, request.Correlation));
        var buffer = MessageBuffer.Rent(Id, this);
        var origin = new RequestOrigin(request.RemoteCaller, request.Correlation, request.IsNew, request.Hops);
        try
        {
            var mark = WriteRequest(buffer, origin, request.Activation.Class, request.Activation.GrainId.Key, request.Call, default, request.Values);
            PassOn(request.Activation.Partition, RequestFlags.None, request.RemoteCaller, request.Correlation, buffer.MessageAt(mark));
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>A grain that is only routed to: which of its interfaces the caller had no longer matters.</summary>
    private sealed class Target(GrainId id, CallRuntime runtime) : GrainReference(id, runtime)
    {
        public override Type InterfaceType => typeof(IAddressable);
    }
}
