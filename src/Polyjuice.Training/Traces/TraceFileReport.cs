namespace Polyjuice.Training.Traces;

/// <summary>What was found in one file.</summary>
/// <param name="Name">Its name.</param>
/// <param name="IsComplete">
/// Whether it was ended in good order. A file of which the next one
/// is the continuation was not, and neither was one whose silo died.
/// </param>
/// <param name="Bytes">How much of it was read.</param>
/// <param name="Torn">What is wrong with the rest, which was cut; <see langword="null"/> if there is none.</param>
internal sealed record TraceFileReport(string Name, bool IsComplete, long Bytes, string? Torn);
