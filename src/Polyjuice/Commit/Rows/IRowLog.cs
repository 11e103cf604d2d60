using Polyjuice.Storage;

namespace Polyjuice.Commit;

/// <summary>A row as its owner's log.</summary>
internal interface IRowLog : IPartitionLog
{
    /// <summary>Its metadata has grown as far as it may: nothing new is prepared there until some of it can go.</summary>
    bool IsFull { get; }

    /// <summary>It has grown so far that what can go should go soon.</summary>
    bool IsPressed { get; }
}
