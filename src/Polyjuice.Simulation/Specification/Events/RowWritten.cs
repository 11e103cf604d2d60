using Polyjuice.Commit;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A row has been stored: the records that a log would have got.</summary>
/// <param name="Partition">The row, by the number that taps have for it.</param>
/// <param name="Records">What is new in it.</param>
internal readonly record struct RowWritten(int Partition, IReadOnlyList<LoggedRecord> Records);
