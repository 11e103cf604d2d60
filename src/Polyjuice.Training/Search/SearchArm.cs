namespace Polyjuice.Training.Search;

/// <summary>A search as it is compared with others.</summary>
/// <param name="Search">Which.</param>
/// <param name="DerivesStarts">Whether it begins with tables derived from the workload's conflicts as well.</param>
internal sealed record SearchArm(ITableSearch Search, bool DerivesStarts = true)
{
    /// <summary>What a search's name ends in if it begins with the built-in tables alone.</summary>
    public const string BuiltInSuffix = "-builtin";

    /// <summary>What people call it.</summary>
    public string Name => DerivesStarts ? Search.Name : Search.Name + BuiltInSuffix;
}
