namespace Polyjuice.Policies;

/// <summary>Whether an access only looks or also changes.</summary>
internal enum AccessKind : byte
{
    /// <summary>A read.</summary>
    Read,

    /// <summary>An update (read-modify-write).</summary>
    Update,
}

/// <summary>
/// An access site: what stays the same across builds about one
/// place in the code that reads or updates a transactional state.
/// </summary>
/// <param name="Type">The transaction's type.</param>
/// <param name="Path">
/// The grain methods from the root to the one that accesses, joined by '&gt;' ("ITeller.Transfer>IAccount.Deposit").
/// </param>
/// <param name="State">
/// The grain class and the name of the state ("AccountGrain.checking"): sites that name the same state can conflict.
/// </param>
/// <param name="Kind">Read or update.</param>
/// <param name="Label">From <c>[AccessSite("…")]</c>, where one method means two things; otherwise empty.</param>
internal sealed record SiteKey(string Type, string Path, string State, AccessKind Kind, string Label = "")
{
    /// <summary>
    /// The site's name within its type, as policy files write it
    /// ("ITeller.Transfer>IAccount.Deposit AccountGrain.checking update").
    /// </summary>
    public string Name => Label.Length == 0
        ? $"{Path} {State} {(Kind == AccessKind.Read ? "read" : "update")}"
        : $"{Path} {State} {(Kind == AccessKind.Read ? "read" : "update")} #{Label}";
}
