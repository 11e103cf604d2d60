using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

[GenerateSerializer]
public sealed class Note
{
    [Id(0)]
    public List<string> Lines { get; set; } = [];
}

/// <summary>Does with its state what grain code may and may not do.</summary>
public interface INote : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Write(string line);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<string[]> Read();

    [Transaction(TransactionOption.Create)]
    Task WriteToAll(List<long> others, string line);

    [Transaction(TransactionOption.Create)]
    Task WriteAndForget(long other, string line);

    [ReadOnly, Transaction(TransactionOption.Create)]
    Task WriteReadOnly(string line);

    [Transaction(TransactionOption.Create)]
    Task Nest();

    [Transaction(TransactionOption.Create)]
    Task WriteLater(string line, bool reads);

    [Transaction(TransactionOption.Create)]
    Task<string?> WriteAndGoOn(string line);

    [Transaction(TransactionOption.Create)]
    Task<bool> WriteAndCancel(string line);

    [Transaction(TransactionOption.Create)]
    Task<bool> LeakAndChange();

    Task WriteOutside(string line);

    Task WriteInItsOwn(string line);

    Task WriteByTimer(string line);
}

[Reentrant]
public sealed class NoteGrain(
    [TransactionalState("note")] ITransactionalState<Note> note, ITransactionClient transactions) : Grain, INote
{
    public Task Write(string line) => note.PerformUpdate(state => state.Lines.Add(line));

    public Task<string[]> Read() => note.PerformRead(state => state.Lines.ToArray());

    public async Task WriteToAll(List<long> others, string line)
    {
        await Task.WhenAll(others.Select(other => GrainFactory.GetGrain<INote>(other).Write(line)));
        await Write(line);
    }

    public Task WriteAndForget(long other, string line)
    {
        GrainFactory.GetGrain<INote>(other).Write(line).Ignore();
        return Write(line);
    }

    public Task WriteReadOnly(string line) => Write(line);

    public Task Nest() => note.PerformUpdate(state => note.PerformRead(inner => inner.Lines.Count).Result);

    public async Task WriteLater(string line, bool reads)
    {
        async Task<int> Later(Note state)
        {
            await Task.Yield();
            state.Lines.Add(line);
            return await note.PerformRead(inner => inner.Lines.Count);
        }

        await (reads ? await note.PerformRead(Later) : await note.PerformUpdate(Later));
    }

    public async Task<bool> WriteAndCancel(string line)
    {
        await Write(line);
        throw new OperationCanceledException("not mine to say");
    }

    /// <summary>Returns what goes wrong in code that a function has begun and nobody awaits.</summary>
    public async Task<string?> WriteAndGoOn(string line)
    {
        var wrong = new TaskCompletionSource<string?>();
        await note.PerformUpdate(state =>
        {
            state.Lines.Add(line);
            GoOn();
        });
        return await wrong.Task;

        async void GoOn()
        {
            await Task.Yield();
            try
            {
                wrong.SetResult(await note.PerformRead(state => state.Lines.Contains(line))
                    ? null
                    : "it sees another state");
            }
            catch (Exception exception)
            {
                wrong.SetResult(exception.Message);
            }
        }
    }

    public async Task<bool> LeakAndChange()
    {
        List<string>? leaked = null;
        await note.PerformUpdate(state =>
        {
            state.Lines.Add("kept");
            leaked = state.Lines;
        });
        leaked!.Add("sneaked in");
        return true;
    }

    public Task WriteOutside(string line) => note.PerformUpdate(state => state.Lines.Add(line));

    public Task WriteInItsOwn(string line) =>
        transactions.RunTransaction(TransactionOption.Create, () => note.PerformUpdate(state => state.Lines.Add(line)));

    public async Task WriteByTimer(string line)
    {
        var written = new TaskCompletionSource();
        using var timer = this.RegisterGrainTimer(
            async () =>
            {
                try
                {
                    await WriteInItsOwn(line);
                    written.TrySetResult();
                }
                catch (Exception exception)
                {
                    written.TrySetException(exception);
                }
            },
            new GrainTimerCreationOptions(TimeSpan.Zero, Timeout.InfiniteTimeSpan) { Interleave = true });
        await written.Task;
    }
}
