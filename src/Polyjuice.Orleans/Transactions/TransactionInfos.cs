using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// Makes the infos that Orleans keeps of a transaction: one for each attempt and one for each of its calls. Orleans'
/// constructor gives each a queue of a kilobyte, for the infos of calls that come back. Here they share one that stays
/// empty, until something is to be put into theirs (<see cref="Complete"/>). Thread-safe.
/// </summary>
internal static class TransactionInfos
{
    // Whether Orleans' class has the fields that it had when this was written. If not, its constructors are used.
    private static readonly bool _areShared;
    private static readonly TransactionInfo _updating = New(isReadOnly: false);
    private static readonly TransactionInfo _reading = New(isReadOnly: true);
    private static readonly ConcurrentQueue<TransactionInfo>? _none;

    static TransactionInfos()
    {
        try
        {
            _none = Joined(_reading) = Joined(_updating);
            _areShared = Id(_updating) == Guid.Empty;
        }
        catch (MissingMemberException)
        {
            _areShared = false;
        }
    }

    /// <summary>Of an attempt that begins.</summary>
    /// <param name="id">The attempt's identity.</param>
    /// <param name="isReadOnly">Whether it must not update anything.</param>
    public static TransactionInfo Begin(Guid id, bool isReadOnly)
    {
        var now = DateTime.UtcNow;
        if (!_areShared) return new TransactionInfo(id, now, now, isReadOnly);
        var info = (TransactionInfo)Clone(isReadOnly ? _reading : _updating);
        Id(info) = id;
        info.TimeStamp = info.Priority = now;
        return info;
    }

    /// <summary>
    /// Of a call that is about to be made: <see cref="TransactionInfo.Fork"/>. The caller's is short of its answer from
    /// then on, until <see cref="Return"/>.
    /// </summary>
    /// <param name="caller">The caller's.</param>
    public static TransactionInfo Fork(TransactionInfo caller)
    {
        if (!_areShared) return caller.Fork();
        Interlocked.Increment(ref caller.PendingCalls);
        var info = (TransactionInfo)Clone(caller.IsReadOnly ? _reading : _updating);
        Id(info) = caller.TransactionId;
        info.UseExclusiveLock = caller.UseExclusiveLock;
        info.TimeStamp = caller.TimeStamp;
        info.Priority = caller.Priority;
        return info;
    }

    /// <summary>A call has been answered, and Orleans need know no more of it.</summary>
    /// <param name="caller">The caller's.</param>
    public static void Return(TransactionInfo caller) => Interlocked.Decrement(ref caller.PendingCalls);

    /// <summary>
    /// Must be called before Orleans' code puts anything into an info, or the infos of all transactions would have it.
    /// </summary>
    /// <returns>The same info, with a queue of its own.</returns>
    public static TransactionInfo Complete(TransactionInfo info)
    {
        if (_areShared) Interlocked.CompareExchange(ref Joined(info), new(), _none!);
        return info;
    }

    /// <summary>Whether an info says nothing but that its call has run.</summary>
    public static bool IsPlain(TransactionInfo info) =>
        info is { OriginalException: null, TryToCommit: true, Participants.Count: 0 };

    private static TransactionInfo New(bool isReadOnly) => new(Guid.Empty, default, default, isReadOnly);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "MemberwiseClone")]
    private static extern object Clone(object info);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "joined")]
    private static extern ref ConcurrentQueue<TransactionInfo> Joined(TransactionInfo info);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "<TransactionId>k__BackingField")]
    private static extern ref Guid Id(TransactionInfo info);
}
