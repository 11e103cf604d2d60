using Polyjuice.Execution;

namespace Polyjuice.Embedded.RealTime;

internal sealed partial class Activation
{
    // A grain that is not reentrant is held by a transaction's body only, not by its commit: nothing of the grain's code runs
    // then, and a turn that waits for another transaction's outcome could be what that one needs.
    private async Task RunTransactionAsync(Request request)
    {
        var method = request.Call.Method;
        var run = new RootRun(this, request);
        Exception? failure = null;
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
        if (failure is null) request.Call = run.Outcome!;
        Silo.Answer(request, failure, hasRun: true);
    }

    /// <summary>The attempts of one transaction at the grain that started it.</summary>
    private sealed class RootRun(Activation activation, Request request) : IGateEntrant
    {
        private bool _isInside = true;
        private IGateEntrant _holder = request;
        private TaskCompletionSource? _entry;

        /// <summary>The call of the latest attempt whose body succeeded: it holds the result.</summary>
        public Embedded.Invocation.Invokable? Outcome { get; private set; }

        /// <inheritdoc/>
        public bool IsInterleaving => request.IsInterleaving;

        /// <inheritdoc/>
        public bool IsReadOnly => request.IsReadOnly;

        /// <summary>Runs the body once, on arguments that no other attempt has seen.</summary>
        public async Task AttemptAsync(CallFrame frame)
        {
            if (!_isInside) await EnterAgainAsync();
            try
            {
                var call = request.Call.Copy();
                call.CancellationToken = request.Call.CancellationToken;
                CallContext.Current = new CallContext(activation.Silo, activation, frame, request.Values);
                await call.InvokeAsync(activation.GrainInstance!);
                Outcome = call;
            }
            finally
            {
                End();
            }
        }

        /// <summary>Leaves the gate, if inside.</summary>
        public void End()
        {
            if (!_isInside) return;
            _isInside = false;
            activation.Leave(_holder);
        }

        /// <inheritdoc/>
        public void Entered() => _entry!.TrySetResult();

        private async Task EnterAgainAsync()
        {
            _entry = new();
            _holder = this;
            activation.Enter(this, first: true);
            await _entry.Task;
            if (activation.State == ActivationState.Gone)
                throw new Orleans.Runtime.SiloUnavailableException($"{activation.GrainId} was deactivated between two attempts of a transaction.");
            _isInside = true;
        }
    }
}
