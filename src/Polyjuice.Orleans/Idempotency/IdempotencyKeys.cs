using Orleans;
using Orleans.Concurrency;
using Orleans.Metadata;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Rows;

namespace Polyjuice.Orleans.Idempotency;

/// <inheritdoc cref="IIdempotencyKeys"/>
[Reentrant, GrainType(IdempotencyKeys.Type)]
internal sealed class IdempotencyKeys(
    [TransactionalState(IdempotencyKeys.State, StateStorageResolver.LogAlways)]
    ITransactionalState<AnsweredCalls> calls,
    IdempotencyClock clock) : Grain, IIdempotencyKeys
{
    /// <summary>The grain's type.</summary>
    public const string Type = "polyjuice.keys";

    /// <summary>The state's name.</summary>
    public const string State = "calls";

    /// <inheritdoc/>
    public Task<PageLook> Find(Guid name)
    {
        var now = clock.Now;
        return calls.PerformRead(page => page.Find(name, now));
    }

    /// <inheritdoc/>
    public Task Keep(AnsweredCall call)
    {
        var now = clock.Now;
        return calls.PerformUpdate(page => page.Keep(call, now));
    }

    /// <inheritdoc/>
    public Task Extend() => calls.PerformUpdate(static page => page.HasMore = true);
}
