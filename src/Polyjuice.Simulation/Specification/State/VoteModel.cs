using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>A vote (V1).</summary>
/// <param name="Partition">Whose.</param>
/// <param name="Epoch">Of which epoch.</param>
/// <param name="Round">For which round.</param>
/// <param name="Timestamp">For which timestamp.</param>
/// <param name="IsLogged">Whether the participant has logged a prepare.</param>
/// <param name="Dependencies">What it names as undecided.</param>
internal sealed record VoteModel(
    int Partition, long Epoch, int Round, long Timestamp, bool IsLogged, CommitDependency[] Dependencies);
