using Polyjuice.Contracts;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A row has been stored: the records that a log would have got.</summary>
/// <param name="Partition">The row, by the number that taps have for it.</param>
/// <param name="Key">Its only participant.</param>
/// <param name="Node">Who has stored it.</param>
/// <param name="Position">Of the batch.</param>
/// <param name="Before">What it said before.</param>
/// <param name="Ceiling">Its time stamp now.</param>
/// <param name="Records">What is new in it.</param>
internal readonly record struct RowWritten(
    int Partition, ParticipantKey Key, NodeId Node, long Position, RowContents Before, long Ceiling,
    IReadOnlyList<LoggedRecord> Records);
