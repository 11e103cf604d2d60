using System.Collections.Concurrent;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Counters that do one thing at a time, and call one another.</summary>
public interface ITied : IGrainWithStringKey
{
    /// <summary>
    /// Adds one to this counter, waits until all of a meeting have done so, and goes on with the next counter.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task AddAlong(string[] others, string? meeting);

    /// <summary>Says to a meeting that it is here, and only then adds one.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task ArriveAndAdd(string meeting);

    /// <summary>Calls another counter, which calls this one.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task AddByWayOf(string other);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Get();
}

/// <summary>Adds to a counter twice in one transaction, and is in nobody's way itself.</summary>
public interface ITwice : IGrainWithStringKey
{
    /// <summary>Adds one, waits for a meeting, and adds one again.</summary>
    [Transaction(TransactionOption.Create)]
    Task AddTwice(string counter, string meeting);
}

public sealed class TiedGrain([TransactionalState("count")] ITransactionalState<Balance> count) : Grain, ITied
{
    private int _running;

    public async Task AddAlong(string[] others, string? meeting)
    {
        // A call that was let in runs between two attempts, and never beside one.
        if (++_running > 1) throw new InvalidOperationException("Two calls run at a time.");
        try
        {
            await count.PerformUpdate(state => state.Value++);
            if (meeting is not null) await Meeting.ArriveAsync(meeting);
            if (others is [var next, ..]) await GrainFactory.GetGrain<ITied>(next).AddAlong(others[1..], null);
        }
        finally
        {
            _running--;
        }
    }

    public async Task ArriveAndAdd(string meeting)
    {
        _ = Meeting.ArriveAsync(meeting);
        await count.PerformUpdate(state => state.Value++);
    }

    public Task AddByWayOf(string other) =>
        GrainFactory.GetGrain<ITied>(other).AddAlong([this.GetPrimaryKeyString()], null);

    public Task<int> Get() => count.PerformRead(state => state.Value);
}

[Reentrant]
public sealed class TwiceGrain : Grain, ITwice
{
    public async Task AddTwice(string counter, string meeting)
    {
        await GrainFactory.GetGrain<ITied>(counter).AddAlong([], null);
        await Meeting.ArriveAsync(meeting);
        await GrainFactory.GetGrain<ITied>(counter).AddAlong([], null);
    }
}

/// <summary>Where attempts wait for each other, once: later ones pass.</summary>
public sealed class Meeting
{
    private static readonly ConcurrentDictionary<string, Meeting> s_meetings = new();

    private readonly int _members;
    private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _arrivals;

    private Meeting(int members) => _members = members;

    /// <summary>Calls a meeting of so many.</summary>
    /// <returns>Its name.</returns>
    public static string Of(int members)
    {
        var name = Guid.NewGuid().ToString();
        s_meetings[name] = new(members);
        return name;
    }

    /// <summary>How often anybody has arrived: attempts that were made again, too.</summary>
    public static int ArrivalsAt(string name) => Volatile.Read(ref s_meetings[name]._arrivals);

    /// <summary>Completes when anybody has arrived.</summary>
    public static Task FirstAt(string name) => s_meetings[name]._first.Task.WaitAsync(TimeSpan.FromMinutes(1));

    /// <summary>Completes when all have arrived.</summary>
    public static Task ArriveAsync(string name)
    {
        var meeting = s_meetings[name];
        meeting._first.TrySetResult();
        if (Interlocked.Increment(ref meeting._arrivals) >= meeting._members) meeting._all.TrySetResult();
        return meeting._all.Task;
    }
}
