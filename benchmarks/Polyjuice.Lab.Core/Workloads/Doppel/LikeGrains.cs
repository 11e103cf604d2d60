using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice.Lab.Workloads.Micro;

namespace Polyjuice.Lab.Workloads.Doppel;

/// <summary>A page that users like; it counts them.</summary>
public interface ILikedPageGrain : ICounterGrain;

/// <inheritdoc cref="ILikedPageGrain"/>
[Reentrant]
public sealed class LikedPageGrain(
    [TransactionalState("page")] ITransactionalState<CounterState> page) : CounterGrain(page), ILikedPageGrain;

/// <summary>A user who likes pages.</summary>
public interface ILikingUserGrain : IGrainWithIntegerKey
{
    /// <summary>Notes the page as the user's last one, and adds one to its likes.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Like(long page);

    /// <summary>Reads the user's last like, and how many likes a page has.</summary>
    /// <exception cref="LikeException">The user has liked the page, and the page knows nothing of it.</exception>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Look(long page);

    /// <summary>How often the user has liked something.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Likes();
}

/// <summary>A view that no order of transactions gives.</summary>
[GenerateSerializer]
public sealed class LikeException(string message) : Exception(message);

/// <summary>What a user has liked.</summary>
[GenerateSerializer]
public sealed class LikingUserState
{
    /// <summary>The last page.</summary>
    [Id(0)]
    public long? Last { get; set; }

    /// <summary>How many times any.</summary>
    [Id(1)]
    public long Likes { get; set; }
}

/// <inheritdoc cref="ILikingUserGrain"/>
[Reentrant]
public sealed class LikingUserGrain(
    [TransactionalState("user")] ITransactionalState<LikingUserState> user) : Grain, ILikingUserGrain
{
    /// <inheritdoc/>
    public async Task Like(long page)
    {
        await user.PerformUpdate(state =>
        {
            state.Last = page;
            state.Likes++;
        });
        await GrainFactory.GetGrain<ILikedPageGrain>(page).Add();
    }

    /// <inheritdoc/>
    public async Task<long> Look(long page)
    {
        var last = await user.PerformRead(state => state.Last);
        var likes = await GrainFactory.GetGrain<ILikedPageGrain>(page).Count();
        return last == page && likes == 0
            ? throw new LikeException($"user {this.GetPrimaryKeyLong()} has liked page {page}, which has no likes")
            : likes;
    }

    /// <inheritdoc/>
    public Task<long> Likes() => user.PerformRead(state => state.Likes);
}
