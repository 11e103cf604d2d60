namespace Polyjuice.Agents;

/// <summary>A body that is a delegate, and a task for whoever awaits the transaction.</summary>
internal sealed class DelegateBody(Func<CallFrame, Task> run) : ITransactionBody
{
    // Continuations run where the transaction completes, which is the engine's turn.
    private readonly TaskCompletionSource _completion = new();

    public Task Completion => _completion.Task;

    public Task RunAsync(CallFrame frame) => run(frame);

    public void RunEnded(CallFrame frame)
    {
    }

    public void Completed(Exception? failure)
    {
        if (failure is null) _completion.SetResult();
        else _completion.SetException(failure);
    }
}
