namespace Polyjuice.Policies;

/// <summary>A transactional state of a grain at which transactions met each other lately.</summary>
/// <param name="Grain">The grain's identity as text, type and key ("AccountGrain/42").</param>
/// <param name="State">The state's name within the grain.</param>
/// <param name="ConflictsPerSecond">
/// Accesses a second that met another running transaction in
/// conflict: an exponentially weighted mean that halves each second.
/// </param>
/// <param name="ConflictShare">The share of those among its accesses, 0 to 1, weighted likewise.</param>
internal sealed record HotGrain(string Grain, string State, double ConflictsPerSecond, double ConflictShare);

/// <summary>Where one engine's transactions met each other.</summary>
/// <param name="Number">
/// Counts the engine's reports, about one a second while it has transactions; one that stays is old.
/// </param>
/// <param name="Grains">At most 64, the hottest first.</param>
internal sealed record ConflictReport(long Number, IReadOnlyList<HotGrain> Grains);
