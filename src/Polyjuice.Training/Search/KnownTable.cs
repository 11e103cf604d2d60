namespace Polyjuice.Training.Search;

/// <summary>A table that was there before searches were compared, and its worth in the same replays.</summary>
/// <param name="Name">The table's.</param>
/// <param name="Score">The mean of its replays of held-out transactions, as the objective has it.</param>
internal sealed record KnownTable(string Name, double Score);
