namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>Where auctions are listed.</summary>
internal static class RubisKeys
{
    /// <summary>As in RUBiS.</summary>
    public const int Categories = 20;

    /// <summary>As in RUBiS.</summary>
    public const int Regions = 62;

    /// <summary>The keys of all indexes of categories.</summary>
    public static IEnumerable<string> AllCategories => Enumerable.Range(0, Categories).Select(Category);

    /// <summary>The keys of all indexes of regions.</summary>
    public static IEnumerable<string> AllRegions => Enumerable.Range(0, Regions).Select(Region);

    public static string Category(int number) => FormattableString.Invariant($"category/{number}");

    public static string Region(int number) => FormattableString.Invariant($"region/{number}");

    public static string CategoryOf(long auction) => Category((int)(auction % Categories));

    public static string RegionOf(long auction) => Region((int)(auction % Regions));
}
