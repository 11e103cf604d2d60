namespace Polyjuice;

/// <summary>What of a compound key is a grain's group.</summary>
public enum TransactionGroupKey
{
    /// <summary>All of it. Keys that are not compound have nothing else.</summary>
    Whole,

    /// <summary>The number or GUID.</summary>
    Main,

    /// <summary>The key's extension, a text.</summary>
    Extension,
}
