using Orleans;

namespace Tpcc.Schema;

/// <summary>What never changes about an item's stock.</summary>
[GenerateSerializer]
[Immutable]
public sealed class StockInfo
{
    /// <summary>Characters of each district's text.</summary>
    public const int TextLength = 24;

    /// <summary>S_DIST_01 … S_DIST_10, one behind the other.</summary>
    [Id(0)]
    public string DistrictTexts { get; init; } = "";

    /// <summary>S_DATA, 26 to 50 characters.</summary>
    [Id(1)]
    public string Data { get; init; } = "";

    /// <summary>S_DIST_xx.</summary>
    /// <param name="district">From 1.</param>
    public string TextOf(int district) => DistrictTexts.Substring((district - 1) * TextLength, TextLength);
}
