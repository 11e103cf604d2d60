using System.Collections.Concurrent;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Where an application's code misbehaves within a transaction.</summary>
public enum Mischief
{
    BodyBeforeAccess,
    BodyAfterAccess,
    ReadFunction,
    UpdateFunction,
    StateCopy,
    JoinedBody,
    JoinedBodyCaught,
    JoinedActivation,
    JoinedCallDropped,
    AccessDropped,
    CallDropped,
}

[GenerateSerializer]
public sealed class Prank
{
    private static readonly ConcurrentDictionary<long, bool> s_broken = new();

    [NonSerialized]
    private long _owner;

    [Id(0)]
    public int Value { get; set; }

    /// <summary>A copier sets it.</summary>
    [Id(1)]
    public long Owner
    {
        get => _owner;
        set
        {
            if (s_broken.GetValueOrDefault(value)) throw new NotSupportedException(RascalGrain.Excuse);
            _owner = value;
        }
    }

    /// <summary>Copies of a grain's state fail from now on, or work again.</summary>
    public static void Break(long owner, bool isBroken) => s_broken[owner] = isBroken;
}

/// <summary>A grain that misbehaves in a transaction, alone or with another one.</summary>
public interface IRascal : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Add(int amount);

    [Transaction(TransactionOption.Create)]
    Task Misbehave(Mischief mischief, long other);

    /// <summary>Adds, and throws.</summary>
    [Transaction(TransactionOption.Join)]
    Task Throw();

    /// <summary>Adds, and lets a task access the state when the method has returned.</summary>
    [Transaction(TransactionOption.Join)]
    Task DropAccess();
}

public interface IStillborn : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Join)]
    Task Touch();
}

[Reentrant]
public sealed class RascalGrain([TransactionalState("prank")] ITransactionalState<Prank> prank) : Grain, IRascal
{
    /// <summary>What is thrown.</summary>
    public const string Excuse = "It was not me.";

    private static readonly ConcurrentDictionary<long, TaskCompletionSource> s_released = new();
    private static readonly ConcurrentDictionary<long, TaskCompletionSource<Task>> s_dropped = new();

    /// <summary>Lets what a grain has dropped go on.</summary>
    /// <returns>Completes with its exception, if it has one, when it has ended.</returns>
    public static async Task<Exception?> ReleaseAsync(long key)
    {
        Released(key).TrySetResult();
        var dropped = await Dropped(key).Task.WaitAsync(TimeSpan.FromMinutes(2));
        return await Record.ExceptionAsync(() => dropped).WaitAsync(TimeSpan.FromMinutes(2));
    }

    public Task<int> Add(int amount) => prank.PerformUpdate(state =>
    {
        state.Owner = this.GetPrimaryKeyLong();
        return state.Value += amount;
    });

    public async Task Misbehave(Mischief mischief, long other)
    {
        if (mischief != Mischief.BodyBeforeAccess) await Add(1);
        var rascal = GrainFactory.GetGrain<IRascal>(other);
        switch (mischief)
        {
            case Mischief.ReadFunction:
                await prank.PerformRead<int>(static _ => throw new InvalidOperationException(Excuse));
                break;
            case Mischief.UpdateFunction:
                await prank.PerformUpdate(static state =>
                {
                    state.Value = -1;
                    throw new InvalidOperationException(Excuse);
                });
                break;
            case Mischief.StateCopy:
                await prank.PerformRead(static state => state);
                break;
            case Mischief.JoinedBody:
                await rascal.Throw();
                break;
            case Mischief.JoinedBodyCaught:
                await Record.ExceptionAsync(rascal.Throw);
                break;
            case Mischief.JoinedActivation:
                await GrainFactory.GetGrain<IStillborn>(other).Touch();
                break;
            case Mischief.JoinedCallDropped:
                await rascal.DropAccess();
                break;
            case Mischief.AccessDropped:
                Drop(() => Add(1));
                break;
            case Mischief.CallDropped:
                Drop(() => rascal.Add(1));
                break;
            default:
                throw new InvalidOperationException(Excuse);
        }
    }

    public async Task Throw()
    {
        await Add(1);
        throw new InvalidOperationException(Excuse);
    }

    public async Task DropAccess()
    {
        await Add(1);
        Drop(() => Add(1));
    }

    private static TaskCompletionSource Released(long key) =>
        s_released.GetOrAdd(key, static _ => new(TaskCreationOptions.RunContinuationsAsynchronously));

    private static TaskCompletionSource<Task> Dropped(long key) =>
        s_dropped.GetOrAdd(key, static _ => new(TaskCreationOptions.RunContinuationsAsynchronously));

    private void Drop(Func<Task> access)
    {
        var key = this.GetPrimaryKeyLong();
        Dropped(key).TrySetResult(LaterAsync());

        async Task LaterAsync()
        {
            await Released(key).Task;
            await access();
        }
    }
}

public sealed class StillbornGrain : Grain, IStillborn
{
    public override Task OnActivateAsync(CancellationToken cancellationToken) =>
        throw new InvalidOperationException(RascalGrain.Excuse);

    public Task Touch() => Task.CompletedTask;
}
