using Polyjuice.Diagnostics;
using Polyjuice.LiveView.Measuring;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Api;

/// <summary>What is in the page itself.</summary>
/// <param name="Samples">The last ten minutes.</param>
/// <param name="Waits">Waits of the last minute.</param>
/// <param name="Grains">The hottest grains.</param>
/// <param name="Training">How training goes; <see langword="null"/> where nobody trains.</param>
/// <param name="Dashboard">The path of Orleans' Dashboard, if the same application serves it.</param>
internal sealed record FirstAnswer(
    IReadOnlyList<Sample> Samples, WaitsAnswer Waits, IReadOnlyList<HotGrain> Grains, TrainingStatus? Training,
    string? Dashboard);

/// <summary>Who looks, and may do what.</summary>
internal sealed record StatusAnswer(
    int Schema, string Title, string Process, bool MayAct, string Hint, long Version, bool HasTraining);

/// <summary>A policy's table.</summary>
/// <param name="Version">Its version, and that of no other.</param>
/// <param name="Name">Its name.</param>
/// <param name="Note">Why this process does not run under the one in force, if it does not; otherwise empty.</param>
/// <param name="Description">What it is for.</param>
/// <param name="Provenance">Where it came from, as its file says.</param>
/// <param name="UnknownTypes">Transaction types that it names, and that nobody here can start.</param>
/// <param name="Table">
/// As <c>polyjuice policy show</c> has it; <see langword="null"/> if it is not made of a document.
/// </param>
/// <param name="Explanation">
/// As <c>polyjuice policy explain</c> has it; <see langword="null"/> if it is not made of a document.
/// </param>
internal sealed record PolicyAnswer(
    long Version, string Name, string Note, string Description, IReadOnlyList<KeyValuePair<string, string>> Provenance,
    IReadOnlyList<UnknownType> UnknownTypes, PolicyGridTable? Table, PolicyExplanation? Explanation);

/// <summary>One line of the history.</summary>
internal sealed record VersionAnswer(long Version, string Name, DateTimeOffset? Since, string Note, bool IsInForce);

/// <summary>What differs between two versions.</summary>
internal sealed record DiffAnswer(VersionAnswer Left, VersionAnswer Right, IReadOnlyList<PolicyDifference> Differences);

/// <summary>Waits by site, over some seconds.</summary>
internal sealed record WaitsAnswer(double Seconds, IReadOnlyList<SiteWaits> Sites);

/// <summary>What a page that follows is told each second.</summary>
internal sealed record EventAnswer(IReadOnlyList<Sample> Samples, WaitsAnswer Waits, IReadOnlyList<HotGrain> Grains);

/// <summary>What is to be done: see <see cref="Policies.PolicyRollback"/>.</summary>
internal sealed record RollbackRequest(long? To, long? From, string? Reason);
