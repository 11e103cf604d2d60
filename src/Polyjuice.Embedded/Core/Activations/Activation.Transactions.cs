using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

internal sealed partial class Activation
{
    // A grain that is not reentrant is held by a transaction's body only, not by its commit: nothing of the grain's code runs
    // then, and a turn that waits for another transaction's outcome could be what that one needs.
    private async Task RunTransactionAsync(Request request)
    {
        var method = request.Call.Method;
        var run = new RootRun(this, request);
        Exception? failure = null;
        Silo.RootsRunning++;
        try
        {
            var transaction = new TransactionRequest
            {
                Type = method.PathElement.Name,
                IsReadOnly = method.IsReadOnlyTransaction || method.IsReadOnly,
                MaxAttempts = method.IsRetryOff ? 1 : 0,
                TimeoutMicroseconds = Silo.TransactionTimeoutOf(method),
            };
            await Silo.Engine.RunAsync(transaction, method.PathElement, run.AttemptAsync, request.Cancellation?.Token ?? CancellationToken.None);
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        run.End();
        Silo.RootsRunning--;
        if (failure is not null && run.HasNowhereToRun)
        {
            // All attempts so far were aborted and the last one never began, so this is one more: wherever the grain is now.
            Silo.Redispatch(request);
            return;
        }

        if (failure is null) request.Call = run.Outcome!;
        Silo.Answer(request, failure, hasRun: true);
    }

    /// <summary>The attempts of one transaction at the grain that started it.</summary>
    private sealed class RootRun(Activation activation, Request request)
    {
        private Attempt? _latest = new(activation, request) { IsInside = true };
        private bool _isFirst = true;

        /// <summary>The call of the latest attempt whose body succeeded: it holds the result.</summary>
        public Embedded.Invocation.Invokable? Outcome { get; private set; }

        /// <summary>Whether the latest attempt found that the activation had gone away.</summary>
        public bool HasNowhereToRun { get; private set; }

        /// <summary>Runs the body once, on arguments that no other attempt has seen.</summary>
        /// <remarks>An attempt that the engine gave up on may still run when the next one starts, so each has its own place at the gate.</remarks>
        public async Task AttemptAsync(CallFrame frame)
        {
            var attempt = _isFirst ? _latest! : new Attempt(activation, request);
            _isFirst = false;
            _latest = attempt;
            Outcome = null;
            if (!attempt.IsInside && !await attempt.TryEnterAsync())
            {
                HasNowhereToRun = true;
                throw new Orleans.Runtime.SiloUnavailableException($"{activation.GrainId} was deactivated between two attempts of a transaction.");
            }

            try
            {
                var call = request.Call.Copy();
                call.CancellationToken = request.Call.CancellationToken;
                CallContext.Current = new CallContext(activation.Silo, activation, frame, request.Values);
                await call.InvokeAsync(activation.GrainInstance!);
                if (_latest == attempt) Outcome = call;
            }
            finally
            {
                attempt.Leave();
            }
        }

        /// <summary>Leaves the gate if no attempt ever started.</summary>
        public void End()
        {
            if (_isFirst) _latest!.Leave();
        }
    }

    /// <summary>One attempt's place at the gate; the first one has the request's own.</summary>
    private sealed class Attempt(Activation activation, Request request) : IGateEntrant
    {
        private IGateEntrant? _self;
        private TaskCompletionSource? _entry;

        public bool IsInside { get; set; }

        /// <inheritdoc/>
        public bool IsInterleaving => request.IsInterleaving;

        /// <inheritdoc/>
        public bool IsReadOnly => request.IsReadOnly;

        /// <inheritdoc/>
        public void Entered() => _entry!.TrySetResult();

        /// <summary>Waits for the gate. <see langword="false"/> when the activation has gone away meanwhile.</summary>
        public async Task<bool> TryEnterAsync()
        {
            _self = this;
            _entry = new();
            // The activation may have gone away while nothing of the transaction ran in it: its gate opens to nobody any more.
            if (activation.State != ActivationState.Gone)
            {
                activation.Enter(this, first: true);
                await _entry.Task;
            }

            if (activation.State == ActivationState.Gone) return false;
            IsInside = true;
            return true;
        }

        public void Leave()
        {
            if (!IsInside) return;
            IsInside = false;
            activation.Leave(_self ?? request);
        }
    }
}
