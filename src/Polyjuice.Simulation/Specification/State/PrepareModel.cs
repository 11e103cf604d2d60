namespace Polyjuice.Simulation.Specification.State;

/// <summary>What an agent has asked a participant (R1b, R2).</summary>
/// <param name="Partition">Whom.</param>
/// <param name="Round">In which round.</param>
/// <param name="Epoch">The epoch that served the accesses.</param>
/// <param name="Timestamp">At which timestamp; 0 when it only asks which would do.</param>
/// <param name="MayRaise">Whether a later one may be taken.</param>
internal readonly record struct PrepareModel(int Partition, int Round, long Epoch, long Timestamp, bool MayRaise);
