namespace Polyjuice.Storage;

/// <summary>A row as its owner's log.</summary>
internal interface IRowLog : IPartitionLog
{
    /// <summary>
    /// Its metadata has grown as far as it may: nothing new is prepared there until some of it can go.
    /// </summary>
    bool IsFull { get; }

    /// <summary>
    /// Nothing in it, as it was loaded, is undecided, or waits for others' confirms: all that there is to know of it
    /// is a committed state. Nor has the next batch to be behind a position that is not in it (<see
    /// cref="BeginAt"/>): that is to be in it before others use such again.
    /// </summary>
    bool IsSettled { get; }

    /// <summary>Has the next batch go to this position, if the end is below that.</summary>
    void BeginAt(long position);

    /// <summary>It has grown so far that what can go should go soon.</summary>
    bool IsPressed { get; }
}
