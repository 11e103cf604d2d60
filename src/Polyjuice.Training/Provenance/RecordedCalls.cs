using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Provenance;

/// <summary>The recorded calls that calibrated a search and decided on what it found. Immutable.</summary>
/// <param name="Recorded">How many were recorded.</param>
/// <param name="HeldOut">How many of them the search has not seen, and the race has made.</param>
/// <param name="LeftOut">What could not be made, and why, with how many there are.</param>
/// <param name="Fit">What replays were fitted to; empty if they were not.</param>
internal sealed record RecordedCalls(
    int Recorded, int HeldOut, IReadOnlyDictionary<string, int> LeftOut, IReadOnlyList<CalibratedTable> Fit);
