namespace Polyjuice.Training.Search;

/// <summary>What a cell of a table decides.</summary>
internal enum CellKind : byte
{
    /// <summary>Which version is read: 0 clean, 1 dirty.</summary>
    Read,

    /// <summary>Whether what was written is exposed: 0 private, 1 public.</summary>
    Write,

    /// <summary>Whether everything so far is validated after the access: 0 no, 1 yes.</summary>
    EarlyValidation,

    /// <summary>Whether holders are waited for, and who goes on: a place in <see cref="TableSpace.Holders"/>.</summary>
    Holders,

    /// <summary>
    /// What is waited for at dependencies of a type: 0 nothing, k its
    /// first k sites, one more than it has sites: until it is sealed.
    /// </summary>
    Wait,

    /// <summary>
    /// What an access does instead while its participant is hot: 0 the
    /// same, else a place in <see cref="TableSpace.Heats"/>, from 1.
    /// </summary>
    Heat,

    /// <summary>
    /// A multiplier of a type's backoff: a place in <see cref="Polyjuice.Policies.PolicyBackoff.Multipliers"/>.
    /// </summary>
    Backoff,
}

/// <summary>One cell of the tables of a <see cref="TableSpace"/>.</summary>
/// <param name="Kind">What it decides.</param>
/// <param name="Type">Its transaction type's place in the catalogue.</param>
/// <param name="Site">Its site's position; −1 for a backoff.</param>
/// <param name="Other">
/// The place of the type that is waited for; of a backoff, 0 to 2 after a
/// commit with so many aborts before it, 3 to 5 after an abort; otherwise 0.
/// </param>
/// <param name="Choices">It is 0 to one less.</param>
internal readonly record struct TableCell(CellKind Kind, int Type, int Site, int Other, int Choices)
{
    /// <summary>Whether choices next to each other are alike.</summary>
    public bool IsOrdered => Kind is CellKind.Wait or CellKind.Backoff;
}
