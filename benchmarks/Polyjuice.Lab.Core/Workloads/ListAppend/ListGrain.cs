using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.ListAppend;

/// <summary>
/// One list. Every version of it shows all earlier ones, so that a history of what clients saw tells any anomaly.
/// </summary>
public interface IListGrain : IGrainWithIntegerKey
{
    /// <summary>Does steps on this list and others in one transaction, and answers what each saw before it.</summary>
    /// <param name="steps">What to do.</param>
    /// <param name="inParallel">All at once; then no list may come twice.</param>
    /// <param name="declines">Throw <see cref="ListDeclinedException"/> at the end.</param>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long[][]> Run(ListStep[] steps, bool inParallel, bool declines);

    /// <summary>Appends, and answers what was there before.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long[]> Append(long element);

    /// <summary>Reads.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long[]> Read();
}

/// <summary>One step of a transaction.</summary>
[GenerateSerializer]
[Immutable]
public sealed class ListStep
{
    /// <summary>The list.</summary>
    [Id(0)]
    public long List { get; set; }

    /// <summary>What to append; 0 to read.</summary>
    [Id(1)]
    public long Element { get; set; }
}

/// <summary>The state of a <see cref="ListGrain"/>.</summary>
[GenerateSerializer]
public sealed class ListState
{
    /// <summary>What was appended, in order.</summary>
    [Id(0)]
    public List<long> Elements { get; set; } = [];
}

/// <summary>A transaction that was told to changed its mind.</summary>
[GenerateSerializer]
public sealed class ListDeclinedException() : Exception("The transaction was told to decline.");

/// <inheritdoc cref="IListGrain"/>
[Reentrant]
public sealed class ListGrain([TransactionalState("list")] ITransactionalState<ListState> list) : Grain, IListGrain
{
    /// <inheritdoc/>
    public async Task<long[][]> Run(ListStep[] steps, bool inParallel, bool declines)
    {
        long[][] seen;
        if (inParallel)
        {
            seen = await Task.WhenAll(steps.Select(StepAsync));
        }
        else
        {
            seen = new long[steps.Length][];
            for (var i = 0; i < steps.Length; i++) seen[i] = await StepAsync(steps[i]);
        }

        return declines ? throw new ListDeclinedException() : seen;
    }

    /// <inheritdoc/>
    public Task<long[]> Append(long element) => list.PerformUpdate(state =>
    {
        long[] before = [.. state.Elements];
        state.Elements.Add(element);
        return before;
    });

    /// <inheritdoc/>
    public Task<long[]> Read() => list.PerformRead(state => state.Elements.ToArray());

    private Task<long[]> StepAsync(ListStep step)
    {
        var grain = step.List == this.GetPrimaryKeyLong()
            ? (IListGrain)this
            : GrainFactory.GetGrain<IListGrain>(step.List);
        return step.Element == 0 ? grain.Read() : grain.Append(step.Element);
    }
}
