namespace Polyjuice.Training.Search;

/// <summary>What a table that a search began with came to.</summary>
/// <param name="Name">The table's.</param>
/// <param name="Score">The mean of its replays, with what their seeds draw taken out; as the objective has it.</param>
/// <param name="Replays">How many there were: the better it stood, the more.</param>
internal sealed record StartScore(string Name, double Score, int Replays);
