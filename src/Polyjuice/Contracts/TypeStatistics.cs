namespace Polyjuice.Contracts;

/// <summary>
/// What became of the attempts at one type of transaction. Written
/// by the engine's turn; others may read slightly old values.
/// </summary>
internal sealed class TypeStatistics
{
    internal TypeStatistics(string type) => Type = type;

    /// <summary>The type's name.</summary>
    public string Type { get; }

    /// <summary>Attempts that have ended.</summary>
    public long Attempts;

    /// <summary>
    /// Those of them that the system aborted. An exception of the application's own is not the system's abort.
    /// </summary>
    public long Aborts;
}
