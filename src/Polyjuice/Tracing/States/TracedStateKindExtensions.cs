namespace Polyjuice.Tracing;

/// <summary>What kinds of recorded states have in common.</summary>
internal static class TracedStateKindExtensions
{
    /// <summary>Whether a cluster can begin with the state as it was: it is there, or there was none yet.</summary>
    /// <param name="kind">What is known of it.</param>
    public static bool IsKnown(this TracedStateKind kind) => kind is TracedStateKind.Whole or TracedStateKind.Initial;
}
