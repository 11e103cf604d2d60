namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>The transactional states of a cell.</summary>
public enum CellPart
{
    /// <summary>A list that only grows: each of its versions shows all earlier ones.</summary>
    List,

    /// <summary>A value that each update replaces.</summary>
    Register,

    /// <summary>An amount of money, and the mark of its last update.</summary>
    Account,
}
