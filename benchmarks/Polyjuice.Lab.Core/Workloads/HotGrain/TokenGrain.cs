using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.HotGrain;

/// <summary>The state of a <see cref="TokenGrain"/>.</summary>
[GenerateSerializer]
public sealed class TokenState
{
    /// <summary>Tokens held.</summary>
    [Id(0)]
    public long Tokens { get; set; }
}

/// <inheritdoc cref="ITokenGrain"/>
[Reentrant]
public sealed class TokenGrain(
    [TransactionalState("tokens")] ITransactionalState<TokenState> tokens) : Grain, ITokenGrain
{
    /// <inheritdoc/>
    public async Task Give(long to, long count)
    {
        await tokens.PerformUpdate(state => { state.Tokens -= count; });
        await GrainFactory.GetGrain<ITokenGrain>(to).Take(count);
    }

    /// <inheritdoc/>
    public Task Take(long count) => tokens.PerformUpdate(state => { state.Tokens += count; });

    /// <inheritdoc/>
    public Task<long> Count() => tokens.PerformRead(state => state.Tokens);
}

/// <inheritdoc cref="IPlainTokenGrain"/>
[Reentrant]
public sealed class PlainTokenGrain : Grain, IPlainTokenGrain
{
    private long _tokens;

    /// <inheritdoc/>
    public Task Give(long to, long tokens)
    {
        _tokens -= tokens;
        return GrainFactory.GetGrain<IPlainTokenGrain>(to).Take(tokens);
    }

    /// <inheritdoc/>
    public Task Take(long tokens)
    {
        _tokens += tokens;
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<long> Count() => Task.FromResult(_tokens);
}
