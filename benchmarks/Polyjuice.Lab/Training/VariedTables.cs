using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Lab.Tool.Training;

/// <summary>
/// Tables that differ in what they are worth: the built-in ones that a replay can follow, and random changes of them.
/// </summary>
internal static class VariedTables
{
    /// <summary>So many tables, the built-in ones first.</summary>
    /// <param name="workload">Whose sites have rows.</param>
    /// <param name="count">How many.</param>
    /// <param name="seed">Of the changes.</param>
    public static IReadOnlyList<DocumentPolicy> Of(ReplayWorkload workload, int count, ulong seed)
    {
        var builtIn = BuiltinPolicies.Fixed.Where(policy => policy.Document.Admission is null or PolicyAdmission.Run)
            .ToList();
        return [
            .. builtIn.Take(count),
            .. TableVariations.Of(
                workload, [.. builtIn.Select(policy => policy.Document)], Math.Max(0, count - builtIn.Count), seed)
            .Select(document => new DocumentPolicy(document))
        ];
    }
}
