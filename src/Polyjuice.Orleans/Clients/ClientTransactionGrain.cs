using System.Threading.Channels;
using Orleans;
using Orleans.CodeGeneration;
using Orleans.Concurrency;
using Orleans.Placement;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Transactions;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Clients;

/// <inheritdoc cref="IClientTransactionGrain"/>
[Reentrant, PreferLocalPlacement]
internal sealed class ClientTransactionGrain(
    ITransactionClient transactions, IGrainReferenceRuntime runtime, TransactionCalls calls, SiloLimits limits)
    : Grain, IClientTransactionGrain
{
    private readonly Channel<Command> _commands = Channel.CreateUnbounded<Command>(new() { SingleReader = true });
    private readonly Dictionary<(int Attempt, long Number), Task<object?>> _calls = [];
    private TaskCompletionSource<int> _next = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task<int>? _started;
    private int _attempt;
    private bool _isOver;
    private long _timeout;

    /// <summary>What was begun here ends with the activation, and holds nobody up any longer.</summary>
    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        _commands.Writer.TryComplete();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<int> Start(string name, bool useExclusiveLock, TimeSpan spent)
    {
        // Orleans may deliver a message twice, when a connection breaks under it: both are answered alike.
        if (_started is not null) return _started;
        _timeout = limits.TransactionTimeout(null) - (long)spent.TotalMicroseconds;
        if (_timeout <= 0)
            throw new TransactionConflictException(
                this.GetPrimaryKey().ToString(), new AbortInfo(AbortReason.Timeout, name), null);
        _started = _next.Task;
        RunAsync(name, useExclusiveLock).Ignore();
        return _started;
    }

    /// <inheritdoc/>
    public Task<object?> Invoke(int attempt, long number, GrainReference target, IInvokable request)
    {
        RequireStarted();
        if (_calls.TryGetValue((attempt, number), out var known)) return known;
        var command = new Command(attempt)
        {
            Target = target,
            Request = calls.Of((TransactionRequestBase)request),
            Context = [.. RequestContext.Entries]
        };
        _calls.Add((attempt, number), command.Result.Task);
        if (!_commands.Writer.TryWrite(command)) command.Refuse();
        return command.Result.Task;
    }

    /// <inheritdoc/>
    public Task<int> End(int attempt, bool commits, Exception? failure, SentCall sent)
    {
        // The activation that was told so first is gone, as it is when the transaction is over.
        if (_started is null && commits && sent.IsCopy)
        {
            throw new OrleansTransactionInDoubtException(
                this.GetPrimaryKey().ToString(),
                "The end of a client's transaction was sent again, because a connection broke while it was sent. By "
                + "the first copy it may have committed.",
                null);
        }

        RequireStarted();

        // Where all is over, the answer is there already: its time was up, say.
        if (attempt == _attempt && _next.Task.IsCompleted && !_isOver)
            _next = new(TaskCreationOptions.RunContinuationsAsynchronously);
        var next = _next.Task;
        _commands.Writer.TryWrite(new Command(attempt) { Commits = commits, Failure = failure });
        return next;
    }

    // The transaction was begun by an activation that is gone, with its silo, and has not committed: nobody but that
    // one could, and only when it was told so.
    private void RequireStarted()
    {
        if (_started is null)
            throw new TransactionConflictException(
                this.GetPrimaryKey().ToString(), new AbortInfo(AbortReason.Shutdown, TransactionClient.Unnamed), null);
    }

    private async Task RunAsync(string name, bool useExclusiveLock)
    {
        try
        {
            await ((TransactionClient)transactions).RunAsync(name, ObeyAsync, useExclusiveLock, _timeout);
            _next.TrySetResult(0);
        }
        catch (Exception exception)
        {
            // Whoever asks first: at the start, or at the end of an attempt.
            if (_next.Task.IsCompleted) _next = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _next.TrySetException(exception);
            _next.Task.Ignore();
        }
        finally
        {
            _isOver = true;
            _commands.Writer.TryComplete();
            while (_commands.Reader.TryRead(out var late)) late.Refuse();
            DeactivateOnIdle();
        }
    }

    /// <summary>
    /// One attempt: does what the client says, in the attempt's own flow, so that calls find the transaction.
    /// </summary>
    private async Task<bool> ObeyAsync()
    {
        var attempt = ++_attempt;
        _next.TrySetResult(attempt);

        // A client that has gone away says nothing any more.
        using var patience = new CancellationTokenSource(TimeSpan.FromMicroseconds(_timeout));
        while (true)
        {
            Command command;
            try
            {
                command = await _commands.Reader.ReadAsync(patience.Token);
            }
            catch (OperationCanceledException)
            {
                throw new TimeoutException(
                    "The transaction's client has not been heard of until the transaction's time was up.");
            }
            catch (ChannelClosedException)
            {
                throw new OrleansTransactionException("The silo that runs the transaction for its client is stopping.");
            }

            if (command.Attempt != attempt) command.Refuse();
            else if (command.Request is not null) CallAsync(command).Ignore();
            else if (command.Failure is not null) throw command.Failure;
            else return command.Commits;
        }
    }

    private async Task CallAsync(Command command)
    {
        foreach (var (key, value) in command.Context) RequestContext.Set(key, value);
        try
        {
            command.Result.TrySetResult(
                await runtime.InvokeMethodAsync<object>(command.Target!, command.Request!, command.Request!.Options));
        }
        catch (Exception exception)
        {
            command.Result.TrySetException(exception);
        }
    }

    /// <summary>What the client says: make a call, or end.</summary>
    private sealed class Command(int attempt)
    {
        public int Attempt => attempt;

        public GrainReference? Target { get; init; }

        public TransactionCall? Request { get; init; }

        public KeyValuePair<string, object>[] Context { get; init; } = [];

        public bool Commits { get; init; }

        public Exception? Failure { get; init; }

        public TaskCompletionSource<object?> Result { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Refuse() =>
            Result.TrySetException(new OrleansTransactionException("The attempt that the call belongs to is over."));
    }
}
