using Polyjuice.Embedded.Invocation;
using Polyjuice.Execution;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded.Core;

internal sealed partial class Activation
{
    // A grain that is not reentrant is held by a transaction's body only, not by its commit: nothing of the grain's code runs
    // then, and a turn that waits for another transaction's outcome could be what that one needs.
    private void StartTransaction(Request request)
    {
        var method = request.Call.Method;
        Silo.RootsRunning++;
        Silo.Engine.Run(Silo.TransactionOf(method, Class), method.PathElement, new RootRun(this, request), request.Cancellation?.Token ?? CancellationToken.None);
    }

    /// <summary>A transaction at the grain that started it.</summary>
    internal sealed class RootRun(Activation activation, Request request) : ITransactionBody
    {
        /// <summary>Whose grain is called.</summary>
        public Activation Activation => activation;

        /// <summary>The call as it came.</summary>
        public Invokable Arguments => request.Call;

        // The first run needs nothing of its own: it has the request's place at the gate, and nothing else can have changed its arguments.
        private CallFrame? _first;
        private bool _isFirstInside = true;
        private Invokable? _latest;

        /// <summary>Whether the latest run found that the activation had gone away.</summary>
        public bool HasNowhereToRun { get; set; }

        /// <inheritdoc/>
        public long WaitedForSince => request.ArrivedAt;

        /// <inheritdoc/>
        public ITracedCall? Call => HasNowhereToRun ? null : new TracedCall(activation.Silo.TracedMethodOf(request.Call.Method, activation.Class), activation.GrainId.Key, request.Call);

        /// <summary>Runs the body once, on arguments that no other run has seen.</summary>
        /// <remarks>A run that the engine gave up on may still go on when the next one starts, so each has its own place at the gate.</remarks>
        public Task RunAsync(CallFrame frame)
        {
            if (_first is not null) return new LaterRun(activation, request).RunAsync(this, frame);
            _first = frame;
            return Invoke(frame);
        }

        /// <inheritdoc/>
        public void RunEnded(CallFrame frame)
        {
            if (frame == _first) LeaveFirst();
        }

        /// <inheritdoc/>
        public void Completed(Exception? failure)
        {
            // No run ever started.
            if (_first is null) LeaveFirst();
            activation.Silo.RootsRunning--;
            if (failure is not null && HasNowhereToRun)
            {
                // All runs so far were aborted and the last one never began, so this is one more: wherever the grain is now.
                request.ArrivedAt = activation.Silo.Loop.RecentTime;
                activation.Silo.Redispatch(request);
                return;
            }

            if (failure is null) request.Call = _latest!;
            activation.Silo.Answer(request, failure, hasRun: true);
        }

        /// <summary>Calls the grain. The latest call holds the result once the transaction has committed.</summary>
        public Task Invoke(CallFrame frame)
        {
            var call = request.Call;
            if (!call.AreArgumentsImmutable || frame != _first)
            {
                call = call.Copy();
                call.CancellationToken = request.Call.CancellationToken;
            }

            _latest = call;
            activation.Pin(frame);
            CallContext.Current = new CallContext(activation.Silo, activation, frame, request.Values);
            try
            {
                return call.InvokeAsync(activation.GrainInstance!);
            }
            catch (Exception exception)
            {
                return Task.FromException(exception);
            }
            finally
            {
                CallContext.Current = null;
            }
        }

        private void LeaveFirst()
        {
            if (!_isFirstInside) return;
            _isFirstInside = false;
            activation.Leave(request);
        }
    }

    /// <summary>A further run: it queues for a place at the gate, before requests that are new.</summary>
    private sealed class LaterRun(Activation activation, Request request) : IGateEntrant
    {
        private readonly TaskCompletionSource _entry = new();

        /// <inheritdoc/>
        public bool IsInterleaving => request.IsInterleaving;

        /// <inheritdoc/>
        public bool IsReadOnly => request.IsReadOnly;

        /// <inheritdoc/>
        public void Entered() => _entry.TrySetResult();

        public async Task RunAsync(RootRun run, CallFrame frame)
        {
            // The activation may have gone away while nothing of the transaction ran in it: its gate opens to nobody any more.
            if (activation.State != ActivationState.Gone)
            {
                activation.Enter(this, first: true);
                await _entry.Task;
            }

            run.HasNowhereToRun = activation.State == ActivationState.Gone;
            if (run.HasNowhereToRun)
                throw new Orleans.Runtime.SiloUnavailableException($"{activation.GrainId} was deactivated between two attempts of a transaction.");
            try
            {
                await run.Invoke(frame);
            }
            finally
            {
                activation.Leave(this);
            }
        }
    }
}
