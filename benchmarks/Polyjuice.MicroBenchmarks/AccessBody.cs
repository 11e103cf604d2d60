using System.Runtime.ExceptionServices;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using TransactionRequest = Polyjuice.Agents.TransactionRequest;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// A transaction of a few accesses, made once and run over and over:
/// what the benchmark itself would allocate is not the engine's.
/// </summary>
internal sealed class AccessBody(Func<CallFrame, ValueTask<long>> access) : ITransactionBody
{
    private static readonly GrainMethod _method = new("ICounterGrain.Add");
    private static readonly TransactionRequest _request = new() { Type = "ICounterGrain.Add" };

    private Exception? _failure;

    public bool HasCompleted { get; private set; }

    public void Start(TransactionEngine engine)
    {
        HasCompleted = false;
        engine.Run(_request, _method, this, CancellationToken.None);
    }

    // A body that has ended needs no task of its own for its result.
    public Task RunAsync(CallFrame frame) =>
        access(frame) is { IsCompletedSuccessfully: false } pending ? pending.AsTask() : Task.CompletedTask;

    public void RunEnded(CallFrame frame)
    {
    }

    public void Completed(Exception? failure)
    {
        _failure = failure;
        HasCompleted = true;
    }

    public void ThrowIfFailed()
    {
        if (_failure is not null) ExceptionDispatchInfo.Throw(_failure);
    }
}
