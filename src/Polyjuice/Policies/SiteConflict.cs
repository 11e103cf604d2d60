namespace Polyjuice.Policies;

/// <summary>Which access sites can be in conflict, as far as sites alone tell.</summary>
internal static class SiteConflict
{
    /// <summary>Whether accesses at two sites can be in conflict: of the same state, and not both reads.</summary>
    public static bool Between(string state, AccessKind kind, string otherState, AccessKind otherKind) =>
        (kind == AccessKind.Update || otherKind == AccessKind.Update)
        && string.Equals(state, otherState, StringComparison.Ordinal);
}
