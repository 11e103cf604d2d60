using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>
/// A part of a recording whose calls are made again, and how the states come to be that they met. Immutable.
/// </summary>
/// <param name="Name">For people: "the held-out calls 2 of 4".</param>
/// <param name="Calls">The calls.</param>
internal sealed record CallWindow(string Name, AccessTrace Calls)
{
    /// <summary>
    /// The part that ends where <see cref="Before"/> begins, or this
    /// one: its states, after its calls, are the beginning.
    /// </summary>
    public CallWindow? Previous { get; init; }

    /// <summary>Calls to make first, which are not measured; <see langword="null"/> if there are none.</summary>
    public AccessTrace? Before { get; init; }

    /// <summary>
    /// Makes logs, of so many partitions, that hold the states as they were recorded; <see langword="null"/> if there
    /// are none. Not asked where there is a <see cref="Previous"/>.
    /// </summary>
    public Func<int, GrainGroups, Task<MemoryLogStore>>? States { get; init; }
}
